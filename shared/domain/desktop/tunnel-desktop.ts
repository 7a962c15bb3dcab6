import { type DriverCapability, pictureBytesMax } from "../../vocabulary/drivers.ts";
import type { DesktopMethod } from "../../vocabulary/methods.ts";
import { type Caller, serviceCaller } from "../access/caller.ts";
import { findKind } from "../action/action.ts";
import type { Background } from "../background.ts";
import { type Batch, type BatchAction, readBatch } from "../computer/batch.ts";
import type { ComputerDeps } from "../computer/computer-deps.ts";
import { forwardAction } from "../computer/forward-action.ts";
import { findDesktop, getDesktop, type Desktop as Reached } from "../computer/get-desktop.ts";
import { jsonAnswerBytesMax, readGenerously, readJsonAnswer } from "../computer/json-answer.ts";
import { performBatchOn } from "../computer/perform-batch.ts";
import { readFileTo } from "../computer/read-file.ts";
import { removeRead } from "../computer/remove-read.ts";
import { takeScreenshot } from "../computer/take-screenshot.ts";
import { type WriteFileInput, writeFile } from "../computer/write-file.ts";
import { DomainError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import {
  type ActionIdentity,
  driverCallTimeoutMs,
  longTransferCallMs,
  makesLongTransfers,
  untilAllowed,
} from "../tunnel/call-driver.ts";
import { becameOf, failedBy, orMissed } from "./became-of.ts";
import type { Acted, ActOptions, Desktop, Look, Slow, Transfer } from "./desktop.ts";

const clipboardName = "text";

/** Within this time of a response, the desktop's machine is not read again. */
const reachedMs = 2_000;

interface DesktopOfRun {
  readonly organizationId: OrganizationId;
  readonly runId: string;
  readonly machineId: string;
}

export interface TunnelDesktopDeps extends ComputerDeps {
  readonly background: Background;
}

export class TunnelDesktop implements Desktop {
  readonly #deps: TunnelDesktopDeps;
  readonly #caller: Caller;
  readonly #machineId: string;
  #isHeld = false;
  #reached: { readonly desktop: Reached; readonly answeredAtMs: number } | undefined;

  constructor(deps: TunnelDesktopDeps, { organizationId, runId, machineId }: DesktopOfRun) {
    const { machines } = deps;
    this.#deps = {
      ...deps,
      machines: {
        findWithCalls: async (...named) => {
          const found = await machines.findWithCalls(...named);
          this.#isHeld = found?.machine.held?.runId === runId;
          return found;
        },
      },
    };
    this.#caller = serviceCaller(organizationId, runId);
    this.#machineId = machineId;
  }

  async settled(): Promise<void> {
    await this.#deps.background.done();
  }

  async #reach(): Promise<Reached> {
    return await getDesktop(this.#deps, this.#caller, this.#machineId, "act");
  }

  /** The gateway reports a closed connection before anything is sent over it. */
  async #reachAgain(): Promise<Reached> {
    const last = this.#reached;
    this.#reached = undefined;
    const isFresh = last !== undefined && this.#deps.clock.now() - last.answeredAtMs < reachedMs;
    return isFresh ? last.desktop : await this.#reach();
  }

  async act(action: JsonObject, options: ActOptions): Promise<Acted> {
    const { actionId: id, repeat, allowed } = options;
    const idempotency = { id, repeat };
    return await becameOf(async () => {
      if (findKind(action.type)?.doneBy !== "system") return await this.#performInput(action, options);
      await untilAllowed(allowed);
      switch (action.type) {
        case "read_file":
          return await this.#readFile(String(action.path));
        case "write_file":
          return await this.#write(String(action.path), content(String(action.content)), idempotency);
        case "shell":
          return await this.#runCommand(String(action.command), idempotency);
        default:
          throw new Error(`a desktop has no call for ${String(action.type)}`);
      }
    });
  }

  async look(settleMs: number, timeoutMs?: number): Promise<Look | undefined> {
    const input = {
      machineId: this.#machineId,
      settleMs,
      bytesMax: pictureBytesMax,
      isReadAtOnce: true,
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    try {
      const { png, isSettled } = await takeScreenshot(this.#deps, this.#caller, input);
      return { png, isSettled: isSettled ?? false, isHeld: this.#isHeld };
    } catch (error) {
      const failed = failedBy(error);
      if (failed === "away" || failed === "uncertain") return undefined;
      throw error;
    }
  }

  async programs(): Promise<readonly string[]> {
    const found = await findDesktop(this.#deps, this.#caller.organizationId, this.#machineId);
    return found?.machine.programs ?? [];
  }

  async hasFile(path: string): Promise<boolean | undefined> {
    const [folder, name] = partsOf(path);
    const listed = await this.listFiles(folder ?? ".");
    if (listed.kind === "files") return listed.files.some((file) => file.name === name);
    // A folder that the driver refuses to list has no file for it.
    return listed.kind === "failed" ? false : undefined;
  }

  async putFile({ path, key }: Transfer, actionId: string): Promise<Acted | Slow> {
    const [folder] = partsOf(path);
    let slow: Slow | undefined;
    const acted = await becameOf(async () => {
      if (folder) await this.#manage("fs/folder", folder, `${actionId}-folder`);
      slow = await this.#unlessSlow(async () => {
        await this.#write(path, { kind: "object", key }, { id: actionId, repeat: false });
      });
      return { kind: "done" };
    });
    return slow ?? acted;
  }

  async #unlessSlow(transfer: () => Promise<void>): Promise<Slow | undefined> {
    try {
      await transfer();
      return undefined;
    } catch (error) {
      const isSlow = error instanceof DomainError && error.code === "driver_timeout" && !error.nothingDone;
      if (!isSlow) throw error;
      const { machine } = await this.#reach();
      const goesOn = makesLongTransfers(machine);
      return { kind: "slow", goesOn, waitedMs: goesOn ? longTransferCallMs : driverCallTimeoutMs };
    }
  }

  async makeFolder(path: string, actionId: string): Promise<Acted> {
    return await becameOf(async () => {
      const made = await this.#manage("fs/folder", path, actionId);
      if (made !== undefined) return { kind: "done", text: String(made.path ?? path) };
      // Other servers make the folder with the file.
      await this.#write(`${path}/.keep`, content(""), { id: actionId, repeat: false });
      return { kind: "done", text: path };
    });
  }

  async listFiles(path: string): ReturnType<Desktop["listFiles"]> {
    return await orMissed(async () => {
      const found = await this.#listedIn(path);
      const files = found.map(({ name, is_dir: isFolder, size }) => ({
        name: String(name),
        isFolder: isFolder === true,
        sizeBytes: Number(size) || 0,
      }));
      return { kind: "files" as const, files };
    });
  }

  async #listedIn(path: string): Promise<readonly Fields[]> {
    try {
      const listed = await this.#call("GET", "fs/list", { query: { path } });
      const { items } = readGenerously(listed) as Fields;
      return (items ?? []) as readonly Fields[];
    } catch (error) {
      if (error instanceof DomainError && error.driverStatus === 404) return [];
      throw error;
    }
  }

  async takeFile({ path, key }: Transfer, actionId: string): ReturnType<Desktop["takeFile"]> {
    let sizeBytes = 0;
    return await orMissed(async () => {
      const slow = await this.#unlessSlow(async () => {
        const idempotency = { id: actionId, repeat: false };
        const input = { machineId: this.#machineId, path, key };
        sizeBytes = await readFileTo(this.#deps, this.#caller, input, idempotency);
      });
      return slow ?? { kind: "taken" as const, sizeBytes };
    });
  }

  async removeFile(path: string, actionId: string): Promise<Acted> {
    return await becameOf(async () => {
      if ((await this.#manage("fs/remove", path, actionId)) !== undefined) return { kind: "done" };
      await this.#write(path, content(""), { id: actionId, repeat: false });
      return { kind: "done", note: "the machine's driver cannot remove files: it was emptied" };
    });
  }

  /** @returns undefined if the driver lacks the operation. */
  async #manage(operation: "fs/folder" | "fs/remove", path: string, id: string): Promise<Fields | undefined> {
    try {
      const options = { body: { path }, idempotency: { id, repeat: false }, needs: "fs_manage" } as const;
      return await this.#call("POST", operation, options);
    } catch (error) {
      if (error instanceof DomainError && error.code === "not_supported_by_driver") return undefined;
      throw error;
    }
  }

  async #performInput(
    action: JsonObject,
    { actionId: id, repeat, settleMs, allowed }: ActOptions,
  ): Promise<Acted> {
    const isCopied = action.type === "copy_to_clipboard";
    const { save_as: _name, ...body } = action;
    const actions = [(isCopied ? { ...body, text: clipboardName } : body) as BatchAction];
    const desktop = await this.#reachAgain();
    const input = { actions, screenshot: true, settleMs, isReadAtOnce: true, allowed };
    const response = await performBatchOn(this.#deps, desktop, input, { id, repeat });
    this.#reached = { desktop, answeredAtMs: this.#deps.clock.now() };
    const batch = await readBatch(this.#deps.files, actions, response);
    this.#deps.background.waitUntil(async () => await removeRead(this.#deps.files, response));
    return actedOf(batch);
  }

  async #readFile(path: string): Promise<Acted> {
    const read = await this.#call("GET", "fs/read", { query: { path, as: "inline" } });
    return { kind: "done", text: Buffer.from(String(read.content ?? ""), "base64").toString() };
  }

  async #write(
    path: string,
    source: WriteFileInput["source"],
    idempotency: ActionIdentity,
  ): Promise<{ readonly kind: "done" }> {
    const input = { machineId: this.#machineId, path, mode: "write", source } as const;
    await writeFile(this.#deps, this.#caller, input, idempotency);
    return { kind: "done" };
  }

  async #runCommand(command: string, idempotency: ActionIdentity): Promise<Acted> {
    const ran = await this.#call("POST", "shell/exec", { body: { command, timeout: 15 }, idempotency });
    if (ran.timeout_reached === true) return { kind: "failed", error: "the command took longer than 15 s" };
    if (ran.exit_code === 0) return { kind: "done", text: String(ran.stdout ?? "") };
    const said = String(ran.stderr ?? "").slice(0, 1_000);
    return { kind: "failed", error: `the command ended with ${String(ran.exit_code)}: ${said}` };
  }

  async #call(
    method: DesktopMethod,
    operation: string,
    { idempotency, ...rest }: CallOptions,
  ): Promise<Fields> {
    const input = { machineId: this.#machineId, access: "act", method, operation, ...rest } as const;
    const whole = { largeResponse: true, readBytesMax: jsonAnswerBytesMax };
    const response = await forwardAction(this.#deps, this.#caller, { ...input, ...whole }, idempotency);
    const answer = await readJsonAnswer(this.#deps.files, response);
    this.#deps.background.waitUntil(async () => await removeRead(this.#deps.files, response));
    return answer as Fields;
  }
}

interface CallOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Fields;
  readonly idempotency?: ActionIdentity;
  readonly needs?: DriverCapability;
}

type Fields = Readonly<Record<string, unknown>>;

function content(text: string) {
  return { kind: "content", base64: Buffer.from(text).toString("base64") } as const;
}

function actedOf({ results: [result], screenshot }: Batch): Acted {
  const look = screenshot ? { png: screenshot.png, isSettled: screenshot.isSettled } : undefined;
  if (result?.status !== "done") return { kind: "failed", error: result?.error ?? "it was not done", look };
  return { kind: "done", look, text: result.answer?.[clipboardName] };
}

function partsOf(path: string): readonly [folder: string | undefined, name: string] {
  const [, folder, name = path] = /^(.*)[\\/]([^\\/]+)$/.exec(path) ?? [];
  return [folder, name];
}
