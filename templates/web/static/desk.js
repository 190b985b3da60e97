// Counts down what is left of deadlines, and looks again for what needs the host. Without it the pages say the same, as of when they came.
"use strict";
function words(seconds) {
  const left = Math.abs(seconds);
  const [count, unit] = left >= 5 * 86400 ? [left / 86400, "days"] : left >= 7200 ? [left / 3600, "hours"] : [left / 60, "minutes"];
  return seconds >= 0 ? `in ${Math.floor(count)} ${unit}` : `${Math.floor(count)} ${unit} ago`;
}
function count() {
  for (const each of document.querySelectorAll("time.left")) {
    each.textContent = words((Date.parse(each.dateTime) - Date.now()) / 1000);
  }
}
count();
setInterval(count, 30000);
const isTyping = () => [...document.querySelectorAll("textarea, input:not([type=hidden])")].some((each) => each.value);
if (document.title.startsWith("Needs you")) {
  setInterval(() => { if (!document.hidden && !isTyping()) location.replace(location.pathname); }, 60000);
}
