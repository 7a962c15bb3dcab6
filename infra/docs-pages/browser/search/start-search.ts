import { element } from "../element.ts";
import { findEntries } from "./find-entries.ts";
import { entriesOf } from "./load-entries.ts";
import type { SearchEntry } from "./search-entry.ts";

const entries = entriesOf(() => fetch(document.body.dataset.search ?? ""));

/** A failure is reported when a word is entered, which loads them again. */
function loadAhead(): void {
  entries().catch(() => {});
}

export function startSearch(): void {
  const open = element(
    "button",
    { type: "button", class: "open-search" },
    element("span", {}, "Search"),
    element("kbd", { "aria-hidden": "true" }, "/"),
  );
  document.querySelector(".search-place")?.replaceChildren(open);
  const dialog = createDialog();
  const show = () => {
    if (!dialog.open) dialog.showModal();
  };
  open.addEventListener("click", show);
  open.addEventListener("pointerenter", loadAhead, { once: true });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCommandK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isCommandK) return;
    event.preventDefault();
    show();
  });
}

/** A combobox after the ARIA practices: the focus stays in the input, and the list's active option follows the arrows. */
function createDialog(): HTMLDialogElement {
  const input = element("input", {
    type: "search",
    role: "combobox",
    "aria-label": "Search operations, paths, fields and schemas",
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    placeholder: "Operation, path, field, schema …",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("div", { id: "found", role: "listbox", "aria-label": "Found" });
  const said = element("p", { class: "unseen", role: "status" });
  const hint = element("p", { class: "quiet hint" }, "Arrows choose, Enter opens, Esc closes.");
  const dialog = element("dialog", { class: "search", "aria-label": "Search" }, input, list, said, hint);
  document.body.append(dialog);
  let active = -1;

  const choose = (at: number) => {
    const options = [...list.children];
    options[active]?.setAttribute("aria-selected", "false");
    active = options.length === 0 ? -1 : (at + options.length) % options.length;
    const option = options[active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option?.id ?? "");
  };
  const update = async () => {
    const all = await entries().catch(() => undefined);
    if (all === undefined) {
      hint.textContent = "The search could not be loaded: enter the word once more, or load the page anew.";
      return;
    }
    const found = findEntries(all, input.value);
    list.replaceChildren(...found.map(optionOf));
    input.setAttribute("aria-expanded", String(found.length > 0));
    said.textContent = input.value === "" ? "" : `${found.length === 0 ? "nothing" : found.length} found`;
    hint.textContent =
      input.value !== "" && found.length === 0
        ? `Nothing has “${input.value}”.`
        : "Arrows choose, Enter opens, Esc closes.";
    active = -1;
    choose(0);
  };
  input.addEventListener("input", update);
  input.addEventListener("focus", loadAhead, { once: true });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(active + 1);
    else if (event.key === "ArrowUp") choose(active - 1);
    else if (event.key === "Enter") list.querySelector<HTMLElement>("[aria-selected=true]")?.click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => {
    const isLink = event.target instanceof Element && event.target.closest("a") !== null;
    // The dialog itself is clicked only beside what is in it.
    if (isLink || event.target === dialog) dialog.close();
  });
  return dialog;
}

function optionOf([kind, title, where, address, description]: SearchEntry, at: number): HTMLElement {
  const name = element("span", { class: "name" }, title);
  const attributes = {
    role: "option",
    id: `found-${at}`,
    href: address,
    tabindex: "-1",
    "aria-selected": "false",
  };
  return element(
    "a",
    attributes,
    element("span", { class: `method ${kind.toLowerCase()}` }, kind),
    element("span", {}, name, element("code", {}, where), element("small", {}, description)),
  );
}
