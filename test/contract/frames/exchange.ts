import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import type { DismissalReason } from "../../../shared/vocabulary/machines.ts";

export type EndName = "driver" | "service";

export type Frame = { readonly driver: object | string } | { readonly service: object | string };

/** What the service asks a driver for; `bytes` stands for a body of so many letters. */
export interface Asked
  extends Pick<DriverRequest, "method" | "path" | "query" | "headers" | "largeResponse" | "repeat"> {
  readonly body?: string;
  readonly bytes?: number;
  readonly bodyKey?: string;
}

export interface DesktopAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bytes?: number;
}

export interface Opening {
  readonly name: string;
  readonly ours: readonly EndName[];
  readonly handshake?: Readonly<Record<string, string>>;
  readonly asked?: Asked;
  readonly desktop?: DesktopAnswer;
  readonly dismissed?: DismissalReason;
}

export interface Exchange extends Opening {
  readonly frames: readonly Frame[];
  readonly seen?: object;
  readonly answered?: object;
  /** Why our driver has ended; null when it goes on. */
  readonly ended?: string | null;
}

export const fixed = {
  nowMs: Date.UTC(2026, 0, 15, 12),
  organizationId: organizationIdOf("org_fixture"),
  machineId: "019bc193-0000-7000-8000-00000000000a",
  keptAliveId: "019bc193-0000-7000-8000-00000000000b",
  requestId: "019bc193-0000-7000-8000-00000000000c",
  actionId: "action-fixture",
  fingerprint: "019bc193-0000-7000-8000-00000000000d",
  authorization: "Bearer das_fixture_is_no_key",
  websocketId: "Fixture=",
  bucket: "http://bucket.invalid/",
  bucketHost: "bucket.invalid",
  movedTo: "wss://desktops.invalid/live",
} as const;

export function contentOf(frame: Frame): object | string {
  return "driver" in frame ? frame.driver : frame.service;
}

export const wait = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

export function bytesOf({ body = "", bytes = 0 }: Pick<Asked, "body" | "bytes">): Uint8Array {
  return Buffer.from(body + "a".repeat(bytes));
}

export function bodyText(body: Uint8Array): object {
  return body.byteLength > 1_000 ? { bytes: body.byteLength } : { body: Buffer.from(body).toString() };
}
