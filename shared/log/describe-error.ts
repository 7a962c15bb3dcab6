const causesMax = 5;

const messageCharactersMax = 500;

export interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

/** Leaves out the error's own fields, which could hold a request. */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: "thrown, and no error" };
  const code: unknown = "code" in thrown ? thrown.code : undefined;
  return {
    name: thrown.name,
    message: messageOf(thrown),
    ...(typeof code === "string" ? { code } : {}),
    ...stackOf(thrown),
    ...(thrown.cause === undefined || depth === causesMax
      ? {}
      : { cause: describeError(thrown.cause, depth + 1) }),
  };
}

/** A SyntaxError of JSON.parse quotes its input, which may be a secret. */
function messageOf(error: Error): string {
  return error instanceof SyntaxError
    ? "a text could not be parsed"
    : error.message.slice(0, messageCharactersMax);
}

/** Returns only the frames, because the first lines repeat the message. */
function stackOf(error: Error): { stack?: string } {
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return frames === undefined || frames.length === 0 ? {} : { stack: frames.slice(0, 12).join("\n") };
}
