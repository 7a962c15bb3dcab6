import * as z from "zod";
import { jsonAnswer, problemAnswer } from "./answer.ts";
import type { Answer, DesktopRequest } from "./desktop.ts";
import { readJson } from "./desktops/read-json.ts";

export const SHUTDOWN_PATH = "/internal/shutdown";
const BODY_BYTES_MAX = 16_384;

const ShutdownBody = z.object({
  source: z.string().min(1).max(255).default("cloud-api"),
  reason: z.string().min(1).max(255).default("user_disabled_machine"),
});

/** Answers the request to end; whoever owns the process ends it, after the answer is out. */
export class Shutdown {
  readonly #pid: number;
  #isRequested = false;

  constructor(pid: number) {
    this.#pid = pid;
  }

  get isRequested(): boolean {
    return this.#isRequested;
  }

  async handle(request: DesktopRequest): Promise<Answer> {
    if (request.method !== "POST")
      return problemAnswer(405, "method_not_allowed", "only POST is served here");
    const { source, reason } = await readJson(request, ShutdownBody, BODY_BYTES_MAX);
    const status = this.#isRequested ? "already_shutting_down" : "shutting_down";
    this.#isRequested = true;
    return jsonAnswer(200, { status, pid: this.#pid, reason, source });
  }
}
