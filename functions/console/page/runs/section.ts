import type { Section } from "../shell/section.ts";
import "./runs.css";

export const runsSections: readonly Section[] = [
  {
    path: "runs",
    title: "Runs",
    list: async () => (await import("./run-list.tsx")).RunList,
    item: async () => (await import("./run-page.tsx")).RunPage,
  },
];
