import type { Section } from "../shell/section.ts";

export const restSections: readonly Section[] = [];
