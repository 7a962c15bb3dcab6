import { machinesSections } from "../machines/section.ts";
import { restSections } from "../rest/section.ts";
import { runsSections } from "../runs/section.ts";
import { workflowsSections } from "../workflows/section.ts";
import type { Section } from "./section.ts";

/** In the navigation's order. */
export const sections: readonly Section[] = [
  ...machinesSections,
  ...runsSections,
  ...workflowsSections,
  ...restSections,
];
