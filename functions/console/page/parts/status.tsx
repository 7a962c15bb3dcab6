const kinds: Readonly<Record<string, "good" | "bad" | "busy" | "quiet">> = {
  connected: "good",
  success: "good",
  active: "good",
  delivered: "good",
  error: "bad",
  failed: "bad",
  invalid: "bad",
  running: "busy",
  scheduling: "busy",
  recording: "busy",
  pending: "busy",
};

/** A status in the API's own word; its colour only repeats what the word says. */
export function Status({ value }: { readonly value: string }) {
  return <span class={`status status-${kinds[value] ?? "quiet"}`}>{value.replaceAll("_", " ")}</span>;
}
