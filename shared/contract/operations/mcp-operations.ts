import * as z from "zod";
import { example } from "../fields/example.ts";
import { defineOperations } from "./operation.ts";

const JsonRpcResponse = example(z.record(z.string(), z.unknown()), {
  jsonrpc: "2.0",
  id: 1,
  result: { tools: [] },
}).describe("A response of JSON-RPC: `jsonrpc`, `id`, and `result` or `error`.");

function refusal(description: string) {
  return { description, schema: JsonRpcResponse };
}

const notHere = {
  access: "public",
  path: "/mcp",
  responses: {},
  refusals: { 405: "There are no streams and no sessions; `Allow` names POST." },
} as const;

export const mcpOperations = defineOperations("Assistants", [
  {
    id: "callMcp",
    method: "POST",
    path: "/mcp",
    summary: "Takes a message of the Model Context Protocol",
    description:
      "The transport is Streamable HTTP without sessions, for the versions 2026-07-28 and 2025-11-25 of the protocol. The body is one JSON-RPC message, and so is the response, whole. `tools/list` lists the tools that the credentials' scopes allow. Each call of a tool makes requests of this API with the same credentials, under all of its rules; the messages themselves are counted apart, with the same limit.",
    access: "bearer",
    isChallenged: true,
    scopes: ["read", "write", "worker", "operator"],
    responses: {
      200: {
        description: "The JSON-RPC response; a tool that failed says so in it.",
        schema: JsonRpcResponse,
      },
      202: { description: "The message was a notification." },
      400: refusal("The message is no JSON, or versions and headers contradict each other."),
      404: refusal("There is no such method."),
      413: refusal("The message is larger than 1 MB."),
      415: refusal("The message is not `application/json`."),
    },
    refusals: {
      401: "The credentials are missing or not valid; `WWW-Authenticate` asks for a bearer token.",
      403: "`insufficient_scope`. An `Origin` that may not call is refused by a JSON-RPC error.",
    },
  },
  { ...notHere, id: "openMcpStream", method: "GET", summary: "Is refused: assistants only send messages" },
  { ...notHere, id: "endMcpSession", method: "DELETE", summary: "Is refused: there are no sessions to end" },
]);
