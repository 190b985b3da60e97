// Looks for new mail once a second, fits a letter's frame to the letter, and puts the caret where one goes on writing.
"use strict";

const text = document.querySelector("textarea");
if (text) {
  const at = text.classList.contains("at-start") ? 0 : text.value.length;
  text.setSelectionRange(at, at);
  text.scrollTop = 0;
}

const frame = document.querySelector("iframe");
function fit() {
  const page = frame.contentDocument && frame.contentDocument.body;
  if (page) frame.style.height = `${page.scrollHeight + 2}px`;
}
if (frame) {
  frame.addEventListener("load", fit);
  window.addEventListener("resize", fit);
  fit();
}

async function look() {
  try {
    const news = await (await fetch("/news")).json();
    document.getElementById("now").textContent = news.time;
    if (String(news.version) !== document.body.dataset.version && document.getElementById("list")) {
      const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      for (const part of ["#list", "#hint", "nav"]) {
        const here = document.querySelector(part), there = page.querySelector(part);
        if (here && there) here.innerHTML = there.innerHTML;
      }
      document.title = page.title;
      document.body.dataset.version = page.body.dataset.version;
    }
  } catch (error) {
    document.getElementById("now").textContent = "over: the demo was ended";
  }
}
setInterval(look, 1000);
