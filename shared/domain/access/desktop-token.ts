import type { Clock, Ids } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { InvalidInput } from "../invalid-input.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Signer } from "../signer.ts";
import { type Caller, requireScope } from "./caller.ts";

const desktopTokenSeconds = 120;

const purpose = "desktop-token";

/** A desktop token's content. Nothing in it is secret; its MAC authenticates it. */
export interface DesktopToken {
  readonly id: string;
  readonly remotePeerId: string;
  readonly selectedOrganizationId: string | null;
  /** Null grants no access. */
  readonly viewer: { readonly organizationId: OrganizationId; readonly userId: string } | null;
  readonly expiresAtSeconds: number;
}

export interface DesktopTokenDeps {
  readonly signer: Signer;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A key that may only open tunnels is not a viewer. @throws {InvalidInput} for another organization */
export function mintDesktopToken(
  deps: DesktopTokenDeps,
  caller: Caller,
  input: { readonly remotePeerId: string; readonly selectedOrganizationId?: string | undefined },
): DesktopToken {
  const viewer = caller.kind === "anonymous" ? undefined : caller;
  const selected = input.selectedOrganizationId ?? null;
  if (viewer) requireScope(viewer, "read", "write");
  if (viewer && selected !== null && selected !== viewer.organizationId) {
    throw new InvalidInput([
      {
        loc: ["body", "selectedOrganizationId"],
        msg: "Value error, is not the organization of the credential that was sent",
        type: "value_error",
        input: selected,
      },
    ]);
  }
  return {
    id: deps.ids.uuid7(),
    remotePeerId: input.remotePeerId,
    selectedOrganizationId: selected,
    viewer: viewer ? { organizationId: viewer.organizationId, userId: viewer.userId } : null,
    expiresAtSeconds: Math.floor(deps.clock.now() / 1_000) + desktopTokenSeconds,
  };
}

/** The text is deterministic under one signing key. */
export async function formatDesktopToken(signer: Signer, token: DesktopToken): Promise<string> {
  const payload = Buffer.from(JSON.stringify(token)).toString("base64url");
  return `${payload}.${await signer.sign(purpose, payload)}`;
}

/** @throws {DomainError} `invalid_credentials`, with one message for a malformed, forged or expired token. */
export async function parseDesktopToken(
  deps: Pick<DesktopTokenDeps, "signer" | "clock">,
  text: string,
): Promise<DesktopToken> {
  const dot = text.indexOf(".");
  const payload = text.slice(0, Math.max(dot, 0));
  if (dot > 0 && (await deps.signer.verify(purpose, payload, text.slice(dot + 1)))) {
    // The valid MAC proves that this service wrote the payload, so it is not parsed again.
    const token = JSON.parse(Buffer.from(payload, "base64url").toString()) as DesktopToken;
    if (token.expiresAtSeconds * 1_000 > deps.clock.now()) return token;
  }
  throw new DomainError(
    "invalid_credentials",
    "the desktopToken is malformed, forged or expired; request a new one",
  );
}
