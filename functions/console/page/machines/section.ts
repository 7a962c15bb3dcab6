import type { Section } from "../shell/section.ts";

export const machinesSections: readonly Section[] = [];
