import { addressOf, type RequestParts } from "../../../shared/client/build-request.ts";

interface SentCall extends RequestParts {
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the form's one field, which takes a file. */
  readonly fileField?: string;
  readonly isPublic: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly returns: "json" | "bytes" | "nothing";
}

/** A write has a fresh Idempotency-Key each time that the line is run. */
export function curlSample(call: SentCall, baseUrl: string): string {
  const {
    method,
    template,
    path,
    query,
    body,
    headers = {},
    fileField,
    isPublic,
    takesIdempotencyKey,
    returns,
  } = call;
  const lines = [
    `curl -sS ${method === "GET" ? "" : `-X ${method} `}${quoted(addressOf(baseUrl, template, { path, query }))}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $DAS_API_KEY"']),
    ...(takesIdempotencyKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(fileField === undefined ? [] : [`-F ${quoted(`${fileField}=@picture.png;type=image/png`)}`]),
    ...(returns === "bytes" ? ["-L -o file"] : []),
  ];
  return `${lines.join(" \\\n  ")}\n`;
}

/** Within single quotes a shell takes every character as it is, but for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
