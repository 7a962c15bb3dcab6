import type { Caller } from "../../shared/domain/access/caller.ts";
import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";
import { captureScreen } from "../../shared/domain/computer/take-screenshot.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import { isHolder, isInForce, type MachineHold } from "../../shared/domain/hold/hold.ts";
import type { PersonalActions, PersonalPicture } from "../../shared/domain/hold/personal-actions.ts";
import { sizeOfPng } from "../../shared/domain/picture/png.ts";
import type { WorkersCall } from "../../shared/domain/run-progress/record-worker-steps.ts";
import { pictureBytesMax } from "../../shared/vocabulary/drivers.ts";

export interface PersonalRequest {
  readonly personalActions: PersonalActions;
  readonly caller: Caller;
  readonly machines: ComputerDeps["machines"];
  readonly machineId: string;
  /** Undefined without an Idempotency-Key. */
  readonly callId: string | undefined;
  readonly clock: ComputerDeps["clock"];
  /** Each has a channel of its own. */
  readonly computer: (machines: ComputerDeps["machines"]) => ComputerDeps;
}

type Found = NonNullable<Awaited<ReturnType<ComputerDeps["machines"]["findWithCalls"]>>>;

interface Driven {
  readonly found: Found;
  readonly held: MachineHold;
  readonly before: PersonalPicture | undefined;
  readonly startedAtMs: number;
}

/** The effect of an action may take this long to be drawn. */
const settleMs = 1_000;

/**
 * Sees that the caller holds the machine when its row is read for the call itself, and takes the picture before the
 * action then. A call to a machine that nobody holds makes no further call.
 */
export class PersonalRecord {
  readonly #request: PersonalRequest;
  #driven: Driven | undefined;

  constructor(request: PersonalRequest) {
    this.#request = request;
  }

  readonly machines: ComputerDeps["machines"] = {
    findWithCalls: async (...named) => {
      if (this.#driven !== undefined) return this.#driven.found;
      const { machines, caller, clock } = this.#request;
      const found = await machines.findWithCalls(...named);
      const held = found?.machine.held;
      if (!found || !held) return found;
      const startedAtMs = clock.now();
      if (!isInForce(held, startedAtMs) || !isHolder(held, caller)) return found;
      this.#driven = { found, held, startedAtMs, before: await this.#look(found, 0) };
      return found;
    },
  };

  /** A repeat may come of a request whose function ended before the recording: the call is recorded once. */
  async recordRepeat(did: WorkersCall["did"]): Promise<void> {
    const { machines, caller, machineId, callId, clock } = this.#request;
    if (callId === undefined) return;
    const found = await machines.findWithCalls(caller.organizationId, machineId);
    const held = found?.machine.held;
    const startedAtMs = clock.now();
    if (!found || !held?.recordingId || !isInForce(held, startedAtMs) || !isHolder(held, caller)) return;
    this.#driven = { found, held, startedAtMs, before: undefined };
    await this.record({ did });
  }

  async record({ did, picture }: Pick<WorkersCall, "did" | "picture">): Promise<void> {
    if (this.#driven === undefined) return;
    const { callId } = this.#request;
    const { found, ...driven } = this.#driven;
    const { machine } = found;
    const { organizationId } = machine;
    const after = picture ?? (await this.#look(found, settleMs));
    const endedAtMs = this.#request.clock.now();
    const call = { organizationId, machine, callId, actions: did, after, endedAtMs, ...driven };
    await this.#request.personalActions.record(call);
  }

  async #look(found: Found, waitMs: number): Promise<PersonalPicture | undefined> {
    const computer = this.#request.computer({ findWithCalls: async () => found });
    const desktop = { machine: found.machine, isOrganizationBusy: false };
    try {
      const input = { settleMs: waitMs, isReadAtOnce: true, bytesMax: pictureBytesMax };
      const { png } = await captureScreen(computer, desktop, input);
      const size = sizeOfPng(png);
      return size && { ...size, png };
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}
