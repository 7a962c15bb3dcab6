import { sampleOf as pythonSample } from "../../clients/python/sample-of.ts";
import type { ExampleCall } from "../../clients/sample/call.ts";
import { sampleOf as typeScriptSample } from "../../clients/typescript/sample-of.ts";
import { curlSample } from "./curl-sample.ts";

/** Stands in the pages until a browser puts the service's own there. */
export const exampleOrigin = "https://api.example.com";

export const sampleLanguages = [
  { id: "curl", name: "curl" },
  { id: "typescript", name: "TypeScript" },
  { id: "python", name: "Python" },
] as const;
type SampleLanguage = (typeof sampleLanguages)[number]["id"];

/** A page hands its script these facts about its operation. */
export interface SampledOperation {
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly isPublic: boolean;
  readonly isCalledByClients: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly returns: ExampleCall["returns"];
}

/** Used where the pages are made, and in the pages for what a reader has entered. */
export function sampleOf(
  language: SampleLanguage,
  operation: SampledOperation,
  call: ExampleCall,
  origin: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  if (language === "typescript") return typeScriptSample(call, origin);
  if (language === "python") return pythonSample(call, origin);
  return curlSample({ ...operation, ...call, headers }, origin);
}
