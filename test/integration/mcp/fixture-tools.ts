import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { capabilities } from "../../../functions/mcp/assistant-server.ts";

/** The smallest PNG, and the smallest sound. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const text = { type: "text", text: "This is a simple text response for testing." } as const;
const image = { type: "image", data: png, mimeType: "image/png" } as const;
const audio = { type: "audio", data: wav, mimeType: "audio/wav" } as const;
const embedded = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "Embedded." },
} as const;

/** The conformance suite calls these tools by name. */
export function createFixtureServer(): McpServer {
  const server = new McpServer({ name: "fixture", version: "1.0.0" }, { capabilities });
  const add = (name: string, content: readonly object[], isError = false) =>
    server.registerTool(
      name,
      { title: name, description: "A fixture.", inputSchema: z.strictObject({}) },
      () => ({
        content: content as [],
        ...(isError && { isError }),
      }),
    );
  add("test_simple_text", [text]);
  add("test_image_content", [image]);
  add("test_audio_content", [audio]);
  add("test_embedded_resource", [embedded]);
  add("test_multiple_content_types", [text, image, embedded]);
  add("test_error_handling", [{ type: "text", text: "This tool intentionally returns an error" }], true);
  return server;
}
