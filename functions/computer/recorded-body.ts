import type { Caller } from "../../shared/domain/access/caller.ts";
import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";
import { fillInSecrets, type MachineSecretDeps } from "../../shared/domain/demonstration/machine-secrets.ts";
import { isHolder, isInForce } from "../../shared/domain/hold/hold.ts";
import { InvalidInput, valueError } from "../../shared/domain/invalid-input.ts";
import type { CurrentCodeDeps } from "../../shared/domain/secrets/current-code.ts";
import { placeholdersIn } from "../../shared/vocabulary/placeholders.ts";

export interface RecordedRequest {
  readonly caller: Caller;
  readonly machines: ComputerDeps["machines"];
  readonly machineId: string;
}

type RecordedDeps = MachineSecretDeps & CurrentCodeDeps;

/**
 * Returns what is sent to the desktop: while its caller records, a text names the machine's secrets.
 *
 * @param place is where the body is in the request. @throws {InvalidInput} for `as_input` outside of a recording.
 */
export async function recordedBody<Body extends object>(
  deps: RecordedDeps,
  { caller, machines, machineId }: RecordedRequest,
  body: Body & { readonly text?: unknown; readonly as_input?: unknown },
  place: readonly (string | number)[] = ["body"],
): Promise<Omit<Body, "as_input">> {
  const { as_input: name, ...sent } = body;
  const { text } = body;
  const namesSecret = typeof text === "string" && placeholdersIn(text).some(({ isSecret }) => isSecret);
  if (name === undefined && !namesSecret) return sent;
  const machine = (await machines.findWithCalls(caller.organizationId, machineId))?.machine;
  const held = machine?.held;
  const isRecording =
    held != null && held.recordingId !== null && isInForce(held, deps.clock.now()) && isHolder(held, caller);
  if (machine !== undefined && isRecording) {
    if (name !== undefined || typeof text !== "string") return sent;
    return { ...sent, text: await fillInSecrets(deps, machine, text, [...place, "text"]) };
  }
  if (name === undefined) return sent;
  const error = "only the holder of a recording of this machine names inputs: POST /v1/recordings begins one";
  throw new InvalidInput([valueError([...place, "as_input"], error)]);
}
