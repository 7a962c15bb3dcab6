import { element } from "./element.ts";

const saidMs = 1_500;

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll("pre")) {
    const name = block.getAttribute("aria-label") ?? "the text";
    const button = element(
      "button",
      { type: "button", class: "copy", "aria-label": `Copy: ${name}` },
      "Copy",
    );
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent ?? "");
      button.textContent = "Copied";
      setTimeout(() => button.replaceChildren("Copy"), saidMs);
    });
    block.before(button);
  }
}
