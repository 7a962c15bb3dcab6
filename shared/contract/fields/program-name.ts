import * as z from "zod";
import { text } from "./text.ts";

/** The name of a program in a machine's own list. */
export const ProgramName = text(1, 64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+-]*$/u)
  .describe("The name of a program in the machine's own list, such as `Orders`.");

/** Names of programs that one machine may have. Together they take at most 13 KB of its hello. */
export const programsMax = 50;

export const ProgramNames = z.array(ProgramName).max(programsMax);
