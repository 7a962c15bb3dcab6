import { Readable } from "node:stream";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createExport } from "../../../infra/demo-desk/write-export.ts";
import { Refusal, refusalResponse } from "../../../infra/driver/answer.ts";
import type { Answer, Desktop } from "../../../infra/driver/desktop.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { systemTiming } from "../../../infra/driver/timing.ts";
import { ActionMemory } from "../../../infra/driver/tunnel/action-memory.ts";
import type { Clock } from "../../../shared/domain/clock.ts";
import type { FileStore } from "../../../shared/domain/file-store.ts";
import type {
  DriverAnswer,
  DriverChannel,
  DriverRequest,
} from "../../../shared/domain/tunnel/driver-channel.ts";
import { fileBytesMax } from "../../../shared/vocabulary/drivers.ts";

export interface DoneAction {
  readonly actionId: string;
  readonly path: string;
  readonly body: string;
}

export type DriverFiles = Pick<FileStore, "get" | "has" | "put" | "size">;

/**
 * The reference driver, called without a tunnel. It does each action once, and remembers it until it is restarted.
 */
export class DriverProcess implements DriverChannel {
  readonly desktop: Desktop;
  readonly done: DoneAction[] = [];
  isAway = false;
  readonly #files: DriverFiles | undefined;
  #memory = new ActionMemory(systemTiming);

  constructor(desktop: Desktop, files?: DriverFiles) {
    this.desktop = desktop;
    this.#files = files;
  }

  restart(): void {
    this.#memory = new ActionMemory(systemTiming);
  }

  async request(request: DriverRequest): Promise<DriverAnswer> {
    if (this.isAway) return { kind: "not_delivered" };
    if ((await request.allowed) === false) return { kind: "withheld" };
    const known = this.#memory.find(request.actionId);
    if (known.kind === "answered") return await this.#answered(request, known.answer);
    if (request.repeat) return refused(new Refusal(409, "unknown_action", "the action is not known here"));
    const answer = await this.#memory.run(request.actionId, async () => await this.#handle(request));
    return await this.#answered(request, answer);
  }

  /** Answers a request; a file goes to its place in the bucket, unless something is there. */
  async #answered({ answerKey: key }: DriverRequest, answer: Answer): Promise<DriverAnswer> {
    const whole = await answered(answer);
    const isFile = whole.headers["content-type"] === "application/octet-stream";
    if (this.#files === undefined || key === undefined || !isFile) return whole;
    const { status, headers, body } = whole;
    if (!(await this.#files.has(key))) await this.#files.put(key, body, "application/octet-stream");
    return { kind: "stored", status, headers, key, sizeBytes: (await this.#files.size(key)) ?? 0 };
  }

  async #handle(request: DriverRequest): Promise<Answer> {
    const { method, path, query, headers, bodyKey } = request;
    const fetched = bodyKey === undefined ? undefined : await this.#files?.get(bodyKey, fileBytesMax);
    const body = fetched ?? request.body ?? new Uint8Array();
    if (method === "POST") {
      this.done.push({ actionId: request.actionId, path, body: new TextDecoder().decode(body) });
    }
    try {
      return await this.desktop.handle({
        method,
        path,
        query,
        headers,
        signal: AbortSignal.timeout(60_000),
        body: {
          bytes: async () => body,
          stream: async () => Readable.from([body]),
          size: body.byteLength,
        },
      });
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error);
      throw error;
    }
  }
}

export interface DeskProcessOptions {
  readonly desk: DeskInput;
  readonly root: string;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly files?: DriverFiles;
}

export class DeskProcess extends DriverProcess {
  readonly screen: SimulatedScreen;

  constructor({ desk, root, clock, files }: DeskProcessOptions) {
    const time = { now: () => clock.now(), sleep: async (ms: number) => await clock.sleep(ms) };
    const screen = new SimulatedScreen({ desk, ...time, exportTo: createExport({ root, own: [] }) });
    super(createLocalDesktop({ screen, root, allowShell: true }), files);
    this.screen = screen;
  }
}

function refused(refusal: Refusal): DriverAnswer {
  const { status, headers, body } = refusalResponse(refusal);
  return { kind: "answered", status, headers, body: body as Uint8Array };
}

async function answered({
  status,
  headers,
  body,
}: Answer): Promise<Extract<DriverAnswer, { readonly kind: "answered" }>> {
  if (body instanceof Uint8Array) return { kind: "answered", status, headers, body };
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await body.open()) ?? []) chunks.push(chunk as Uint8Array);
  return { kind: "answered", status, headers, body: Buffer.concat(chunks) };
}
