export type LogField = string | number | boolean | null | undefined;

/** Callers never pass a body, a query, typed text, key names, a token or a presigned address. */
export type DriverLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, LogField>>,
) => void;

export function createJsonLog(write: (line: string) => void, now: () => number): DriverLog {
  return (level, message, fields = {}) => {
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  };
}

export const silentLog: DriverLog = () => {};
