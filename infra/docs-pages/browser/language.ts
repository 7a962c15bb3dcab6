const place = "das.docs.language";

/** The language that a reader has chosen stays chosen on the pages after. */
export function keepLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>("input[name=language]")];
  const kept = choices.find(({ value }) => value === localStorage.getItem(place));
  if (kept !== undefined) kept.checked = true;
  for (const choice of choices) {
    choice.addEventListener("change", () => localStorage.setItem(place, choice.value));
  }
}
