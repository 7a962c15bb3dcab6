import type { Section } from "../shell/section.ts";

export const runsSections: readonly Section[] = [];
