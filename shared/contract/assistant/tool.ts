import type * as z from "zod";
import type { allOperations } from "../operations/all-operations.ts";

/** `acts` has effects outside of the service, which cannot be taken back. */
export type ToolEffect = "reads" | "writes" | "acts";

/** A tool of the Model Context Protocol, as assistants see it, and the operations that do its work. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** It is listed for callers who may call all of them. */
  readonly calls: readonly (typeof allOperations)[number]["id"][];
  readonly effect: ToolEffect;
  readonly input: z.ZodObject;
  /** What is beside it, such as a picture, is content of its own. */
  readonly output: z.ZodObject;
}

/** The literal types are kept: those of the handlers are derived from them. */
export function defineTools<const Tools extends readonly Tool[]>(...tools: Tools): Tools {
  return tools;
}
