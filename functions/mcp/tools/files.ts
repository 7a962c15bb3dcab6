import type { ContentBlock } from "@modelcontextprotocol/server";
import { shownFileBytesMax } from "../../../shared/contract/assistant/file-tools.ts";
import type { ToolHandlers } from "../tool-handlers.ts";

export const fileHandlers: ToolHandlers<"list_files" | "read_file" | "write_file" | "run_command"> = {
  list_files: async ({ api }, { machine_id, path }) => ({
    structured: await api.call("listFiles", { path: { machine_id }, query: { path } }),
  }),
  read_file: async ({ api }, { machine_id, path }) => {
    const read = await api.call("readFile", { path: { machine_id }, query: { path } });
    if (!("content" in read)) throw new Error("an inline read has its content");
    const bytes = Buffer.from(read.content, "base64");
    return {
      structured: {
        path: read.path,
        size: read.size,
        is_whole: bytes.byteLength <= shownFileBytesMax,
      },
      content: [shown(read.path, bytes.subarray(0, shownFileBytesMax))],
    };
  },
  write_file: async ({ apiOnce }, { machine_id, path, content: given, encoding, mode }) => {
    const content = encoding === "base64" ? given : Buffer.from(given, "utf8").toString("base64");
    const body = { path, content, mode };
    return { structured: await apiOnce.call("writeFile", { path: { machine_id }, body }) };
  },
  run_command: async ({ apiOnce }, { machine_id, ...body }) => {
    const result = await apiOnce.call("executeCommand", { path: { machine_id }, body });
    return { structured: result, isError: result.exit_code !== 0 };
  },
};

const pictures: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

function shown(path: string, bytes: Buffer): ContentBlock {
  const mimeType = pictures[path.split(".").at(-1)?.toLowerCase() ?? ""];
  if (mimeType !== undefined) return { type: "image", data: bytes.toString("base64"), mimeType };
  const text = bytes.toString("utf8");
  if (!text.includes("\0")) return { type: "text", text };
  const uri = `file:///${path
    .split(/[\\/]+/)
    .map(encodeURIComponent)
    .join("/")}`;
  const blob = bytes.toString("base64");
  return { type: "resource", resource: { uri, blob, mimeType: "application/octet-stream" } };
}
