import { ShutDownDriverBody } from "../../shared/contract/machine.ts";
import { jsonAnswer, problemAnswer } from "./answer.ts";
import type { Answer, DesktopRequest } from "./desktop.ts";
import { readJson } from "./desktops/read-input.ts";

export const shutdownPath = "/internal/shutdown";

/** The process's owner ends it after the response was sent. */
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
    const { source, reason } = await readJson(request, ShutDownDriverBody.unwrap());
    const status = this.#isRequested ? "already_shutting_down" : "shutting_down";
    this.#isRequested = true;
    return jsonAnswer(200, { status, pid: this.#pid, reason, source });
  }
}
