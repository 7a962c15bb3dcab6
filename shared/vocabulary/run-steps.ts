export const stepSources = ["replay", "reset", "model", "service", "worker", "person"] as const;
export type StepSource = (typeof stepSources)[number];

export const stepStatuses = ["sending", "done", "failed", "unknown", "skipped"] as const;
export type StepStatus = (typeof stepStatuses)[number];

export const stepKinds = ["agentic", "replayed", "repaired"] as const;
export type StepKind = (typeof stepKinds)[number];

/** After a step its run waits for one of these: `time` is an action's own, `invocation` the function's next one. */
export type StepWait = "desktop" | "provider" | "person" | "files" | "time" | "invocation";

/** The place of a recorded piece on its screen, in the response that has the piece. */
export const pieceLeftHeader = "X-Piece-Left";
export const pieceTopHeader = "X-Piece-Top";
