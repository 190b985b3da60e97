// Counts down what is left of deadlines, and looks again for what needs the host. Without it the pages say the same, as of when they came.
"use strict";
function words(seconds) {
  const left = Math.abs(seconds);
  const [size, unit] = left >= 5 * 86400 ? [86400, "day"] : left >= 7200 ? [3600, "hour"] : [60, "minute"];
  const count = Math.floor(left / size);
  const said = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return seconds >= 0 ? `in ${said}` : `${said} ago`;
}
function count() {
  for (const each of document.querySelectorAll("time.left")) {
    each.textContent = words((Date.parse(each.dateTime) - Date.now()) / 1000);
  }
}
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
count();
setInterval(count, 30000);
const isTyping = () => [...document.querySelectorAll("textarea, input:not([type=hidden])")].some((each) => each.value);
if (document.title.startsWith("Needs you")) {
  setInterval(() => { if (!document.hidden && !isTyping()) location.replace(location.pathname); }, 60000);
}
