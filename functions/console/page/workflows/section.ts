import type { Section } from "../shell/section.ts";

export const workflowsSections: readonly Section[] = [];
