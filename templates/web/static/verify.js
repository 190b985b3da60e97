// The check of an episode's cards, in the reader's own browser: the seed against its commitment, and every deck anew from the
// seed. Block k of a stream is HMAC-SHA256(seed, "label:k"); eight bytes of it at a time are a number.
"use strict";
(() => {
  const RANGE = 1n << 64n;
  const RANKS = "23456789TJQKA", SUITS = "cdhs", SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const DECK = [...SUITS].flatMap(suit => [...RANKS].map(rank => rank + suit));
  const WITH_JOKERS = [...DECK, "Xr", "Xb"];
  const BOARD = [..."AAKQJT98765432", "devil"];
  const HEX = /^[0-9a-f]{64}$/i;
  const MOST = 50;

  const bytesOf = hex => Uint8Array.from(hex.match(/../g), pair => parseInt(pair, 16));
  const hexOf = bytes => [...new Uint8Array(bytes)].map(each => each.toString(16).padStart(2, "0")).join("");
  const commitmentOf = async seed => hexOf(await crypto.subtle.digest("SHA-256", bytesOf(seed)));

  class Stream {
    constructor(key, label) { Object.assign(this, { key, label, block: 0, numbers: [] }); }
    async below(bound) {
      const limit = RANGE - RANGE % BigInt(bound);
      for (;;) {
        if (!this.numbers.length) {
          const message = new TextEncoder().encode(`${this.label}:${this.block++}`);
          const found = new DataView(await crypto.subtle.sign("HMAC", this.key, message));
          this.numbers = [0, 8, 16, 24].map(at => found.getBigUint64(at));
        }
        const number = this.numbers.shift();
        if (number < limit) return number % BigInt(bound);
      }
    }
    async shuffled(items) {
      const places = [...items];
      for (let last = places.length - 1; last > 0; last--) {
        const other = Number(await this.below(last + 1));
        [places[last], places[other]] = [places[other], places[last]];
      }
      return places;
    }
  }
  const streams = async seed => {
    const key = await crypto.subtle.importKey("raw", bytesOf(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return label => new Stream(key, label);
  };

  const face = code => code === "Xr" ? "red joker" : code === "Xb" ? "black joker"
    : /^[2-9TJQKA][cdhs]$/.test(code) ? code[0].replace("T", "10") + SIGNS[code[1]] : code;

  // What a stream draws where nobody says what it was drawn from: its usual deck or bound. Where that depends on play: null.
  const usual = label => {
    if (/^(hand:N|round:N|bonus:N):deck$|^deal:N$/.test(label)) return { items: DECK };
    if (label === "deck" || label === "bonus:deck") return { items: WITH_JOKERS };
    if (label === "bonus:suits:N") return { items: ["chance", "no", "no", "again"] };
    if (label === "bonus:N:board") return { items: BOARD };
    if (label === "target:N") return { bounds: [100], more: 1 };
    if (label === "cut") return { bounds: [53], more: 1 };
    return null;
  };

  const say = (place, words, good) => {
    const line = document.createElement("p");
    line.className = good === false ? "bad" : good ? "good" : "";
    line.textContent = (good === false ? "✗ " : good ? "✓ " : "") + words;
    place.append(line);
  };
  const table = place => {
    const made = document.createElement("table");
    made.className = "rows";
    made.createTHead().innerHTML = '<tr><th scope="col">Stream</th><th scope="col">What it draws</th></tr>';
    place.append(made);
    return made.createTBody();
  };
  const row = (body, label, words, good) => {
    const cells = body.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.className = "mono";
    head.textContent = label;
    cells.append(head);
    const cell = cells.insertCell();
    cell.textContent = (good === false ? "✗ " : good ? "✓ " : "") + words;
    cell.className = good === false ? "drawn bad" : "drawn";
    cell.dataset.label = label;
  };

  const canCheck = place => {
    if (window.isSecureContext && window.crypto && crypto.subtle) return true;
    say(place, "Browsers compute this only on pages reached by https, or on the machine itself. Open this page by https, or use podium verify.", false);
    return false;
  };

  const checkCommitment = async (place, seed, promised, whence) => {
    const computed = await commitmentOf(seed);
    const holds = computed === promised.toLowerCase();
    say(place, holds ? `The seed has the fingerprint ${computed}, as ${whence} says.`
      : `The seed has the fingerprint ${computed}, but ${whence} says ${promised}: this is not the seed that was promised.`, holds);
    return holds;
  };

  // An episode's own page says what was drawn: each draw is made anew and compared.
  const checkEpisode = async (place, data, draws) => {
    let good = await checkCommitment(place, data.seed, data.commitment, "the commitment of this episode");
    const stream = await streams(data.seed);
    const body = table(place);
    for (const draw of draws) {
      const own = stream(draw.label);
      let found = [];
      if (draw.items.length) found = await own.shuffled(draw.items);
      else for (const bound of draw.bounds) found.push(String(await own.below(bound)));
      const same = found.length === draw.found.length && found.every((each, at) => each === String(draw.found[at]));
      good = good && same;
      row(body, draw.label, same ? found.map(face).join(" ")
        : `${found.map(face).join(" ")}, but here it was ${draw.found.map(face).join(" ")}`, same);
    }
    say(place, good ? `${draws.length === 1 ? "The one draw of this episode comes" : `All ${draws.length} draws of this episode come`} from its seed. Whether every move was allowed is checked by podium verify.`
      : "Something does not agree: keep your letters, and ask the host.", good);
  };

  const readRecord = text => {
    const first = text.replace(/^\ufeff/, "").split("\n")[0];
    let header;
    try { header = JSON.parse(first); } catch { return [null, "The first line is no JSON. A record begins with its header."]; }
    if (!header || header.format !== "podium-episode/1") return [null, "This is no episode record: its first line does not say podium-episode/1."];
    if (!HEX.test(header.seed || "")) return [null, "The seed in the first line is not 64 hex digits."];
    return [header, ""];
  };

  const checkRecord = async (place, text, given, count, known) => {
    const [header, problem] = readRecord(text);
    if (problem) return say(place, `${problem} Choose the record that came with the result.`, false);
    if (!known[header.game]) return say(place, "The record is of a game that this page does not know.", false);
    const promised = given || header.commitment || "";
    if (promised && !HEX.test(promised)) return say(place, "A commitment is 64 hex digits. Copy it from the first letter.", false);
    if (promised) await checkCommitment(place, header.seed, promised, given ? "your first letter" : "the record itself");
    else say(place, `The seed has the fingerprint ${await commitmentOf(header.seed)}. Compare it with your first letter.`);
    if (!given && promised) say(place, "Whoever changes a record can change both: compare with the commitment in your first letter.");
    const stream = await streams(header.seed);
    const body = table(place);
    const lines = text.trim().split("\n").length - 1;
    for (const label of known[header.game]) {
      const rule = usual(label);
      if (!rule) { row(body, label, "depends on the play before it; podium verify checks it"); continue; }
      const labels = label.includes("N") ? Array.from({ length: count }, (_, at) => label.replace("N", at + 1)) : [label];
      for (const each of labels) {
        const own = stream(each);
        row(body, each, rule.items ? (await own.shuffled(rule.items)).map(face).join(" ")
          : String(Number(await own.below(rule.bounds[0])) + rule.more));
      }
    }
    say(place, `These are the cards that the seed draws, before any cut, whether or not the episode came so far. The record has ${lines} line${lines === 1 ? "" : "s"} of play; whether each was allowed is checked by podium verify.`);
  };

  const busy = (button, place, work) => async event => {
    event.preventDefault();
    place.textContent = "";
    if (!canCheck(place)) return;
    button.disabled = true;
    try { await work(); } catch (error) { say(place, `The check failed: ${error.message}. Try another browser, or podium verify.`, false); }
    button.disabled = false;
  };

  for (const check of document.querySelectorAll(".check")) {
    const place = check.querySelector(".checked"), button = check.querySelector("button"), form = check.querySelector("form");
    check.querySelectorAll(".unscripted").forEach(each => each.remove());
    if (form) {
      const known = JSON.parse(check.querySelector(".streams").textContent);
      const text = check.querySelector("#text"), file = check.querySelector("#file");
      button.disabled = false;
      file.addEventListener("change", async () => { if (file.files.length) text.value = await file.files[0].text(); });
      form.addEventListener("submit", busy(button, place, () => {
        if (!text.value.trim()) return say(place, "Choose a record, or paste its text.", false);
        const count = Math.min(Math.max(Number(check.querySelector("#count").value) || 1, 1), MOST);
        return checkRecord(place, text.value, check.querySelector("#commitment").value.trim(), count, known);
      }));
    } else {
      const draws = JSON.parse(check.querySelector(".draws").textContent);
      button.hidden = false;
      button.addEventListener("click", busy(button, place, () => checkEpisode(place, check.dataset, draws)));
    }
  }
})();
