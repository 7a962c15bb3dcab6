/** A timestamp as `<input type="datetime-local">` shows it, in the browser's time zone. */
export function localText(timestamp: string | undefined): string {
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(at)) return "";
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, "2026-01-31T12:00".length);
}

/** The timestamp that the API takes; undefined for no time. */
export function timeOf(text: string): string | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
