import { contentOf, type Frame } from "./exchange.ts";

/**
 * What of an exchange binds: what each side says and in which order, all but sentences for people, which may be put in
 * other words. They are the `message` of an error frame and the `error` of an error body, whose length goes with them.
 * Between the sides there is no order: their frames cross. Nor does it bind what a `reply_to` says, but that a driver
 * copies it.
 */
export function binding(exchange: { readonly frames: readonly Frame[] }): object {
  const said = Object.groupBy(withoutReplyTos(exchange.frames), (frame) =>
    "driver" in frame ? "driver" : "service",
  );
  return wordless({ ...exchange, frames: said }) as object;
}

export function replyTosOf(frames: readonly Frame[]): readonly string[] {
  const said = frames.flatMap((frame) => ("service" in frame ? [replyToOf(frame.service)] : []));
  return [...new Set(said.filter((text) => text !== undefined))];
}

export function withReplyTo(content: object | string, from: readonly string[], to: readonly string[]) {
  const place = from.indexOf(replyToOf(content) ?? "");
  return place < 0 || to[place] === undefined ? content : { ...(content as object), reply_to: to[place] };
}

function replyToOf(content: object | string): string | undefined {
  return typeof content === "object" && "reply_to" in content ? String(content.reply_to) : undefined;
}

function withoutReplyTos(frames: readonly Frame[]): readonly Frame[] {
  const said = replyTosOf(frames);
  const names = said.map((_text, place) => `reply_to ${place}`);
  return frames.map((frame) => {
    const content = withReplyTo(contentOf(frame), said, names);
    return "driver" in frame ? { driver: content } : { service: content };
  });
}

function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  if (fields.type === "error") return { ...fields, message: typeof fields.message };
  const body = errorBody(fields);
  if (body === undefined) {
    const given = Object.entries(fields).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(given.map(([name, inner]) => [name, wordless(inner)]));
  }
  const { "content-length": _length, ...headers } = fields.headers as Readonly<Record<string, string>>;
  return { ...fields, headers, body: { ...body, error: typeof body.error } };
}

function errorBody({ status, body, headers }: Readonly<Record<string, unknown>>) {
  if (typeof status !== "number" || status < 400 || typeof body !== "string" || headers === undefined) {
    return undefined;
  }
  const text = body.startsWith("{") ? body : Buffer.from(body, "base64").toString();
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
