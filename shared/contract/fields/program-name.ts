import * as z from "zod";
import { text } from "./text.ts";

export const ProgramName = text(1, 64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+-]*$/u)
  .describe("The name of a program in the machine's own list, such as `Orders`.");

/** This many names take at most 13 KB of a hello. */
export const programsMax = 50;

export const ProgramNames = z.array(ProgramName).max(programsMax);
