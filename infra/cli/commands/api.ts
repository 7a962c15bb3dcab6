import { type HttpMethod, httpMethods } from "../../../shared/vocabulary/methods.ts";
import { readBody } from "../operations/read-input.ts";
import { show } from "../output/show.ts";
import { outputOption, showBytes } from "../output/show-bytes.ts";
import type { Command } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";

export const apiCommand: Command = {
  noun: "",
  verb: "api",
  summary: "Sends any request to the service",
  description: "Retries, errors and output are those of the other commands",
  arguments: [
    { name: "method", text: `One of ${httpMethods.join(", ")}.` },
    { name: "path", text: "The path, with its query." },
  ],
  options: [
    { flags: "--body <json>", text: "The body as JSON, @FILE or - for standard input." },
    { flags: "--if-match <tag>", text: "The ETag that the resource must still have." },
    outputOption,
  ],
  examples: [
    "das api GET '/v1/runs?limit=3'",
    `das api PATCH /v1/machines/MACHINE_ID --json '{"name": "Front desk"}'`,
  ],
  run: async (context, { words, options }) => {
    const [word = "", path = ""] = words;
    const method = word.toUpperCase();
    if (!isMethod(method)) throw new UsageError(`${word} is no method; there are ${httpMethods.join(", ")}`);
    if (!/^\/(?!\/)/.test(path)) throw new UsageError("the path begins with /, such as /v1/machines");
    const body = options.body === undefined ? undefined : await readBody(String(options.body), context);
    const { client } = await context.connect();
    const response = await client.request(method, path, {
      signal: context.signal,
      ...(body === undefined ? {} : { body }),
      ...(options.ifMatch === undefined ? {} : { ifMatch: String(options.ifMatch) }),
    });
    if (response instanceof Uint8Array) await showBytes(context, response, { options });
    else show(context, response);
    return undefined;
  },
};

function isMethod(text: string): text is HttpMethod {
  return (httpMethods as readonly string[]).includes(text);
}
