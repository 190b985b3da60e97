// A replay by the arrow keys: from a step to the next or the one before, across pages too.
"use strict";
(() => {
  document.querySelectorAll(".scripted").forEach(each => { each.hidden = false; });
  const here = () => document.querySelector(".step:target");
  document.addEventListener("keydown", pressed => {
    const rel = { ArrowRight: "next", ArrowLeft: "prev" }[pressed.key];
    if (!rel || pressed.altKey || pressed.ctrlKey || pressed.metaKey || pressed.shiftKey) return;
    const link = here() ? here().querySelector(`a[rel=${rel}]`) : rel === "next" && document.querySelector(".steps")
      ? { href: `#${document.querySelector(".step").id}` } : null;
    if (!link) return;
    pressed.preventDefault();
    location.href = link.href;
  });
})();
