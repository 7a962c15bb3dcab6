import { createStore } from "./store.ts";

const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const place = "das.console.theme";

function kept(): Theme {
  const text = localStorage.getItem(place);
  return themes.find((theme) => theme === text) ?? "system";
}

export const theme = createStore<Theme>(kept());

function apply(): void {
  document.documentElement.dataset.theme = theme.get();
}

export function startTheme(): void {
  apply();
  theme.subscribe(apply);
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? "system";
  localStorage.setItem(place, next);
  theme.set(next);
}
