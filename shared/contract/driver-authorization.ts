import * as z from "zod";
import { viewerRefusals } from "../vocabulary/machines.ts";
import { Uuid } from "./fields/common.ts";
import { text } from "./fields/text.ts";

/** The specification's sample has empty strings, so "" is treated as absent. */
function absentWhenEmpty<T extends z.ZodType>(schema: T, wire: Readonly<Record<string, unknown>>) {
  return z
    .preprocess((value) => (value === "" ? undefined : value), schema.optional())
    .meta({ wire, description: '"" is the same as absent.' });
}

const shortText = { type: "string", maxLength: 255 } as const;
const PeerId = text(1, 255);
const OrganizationId = text(1, 255);

export const ConnectionTokenBody = z.strictObject({
  remotePeerId: PeerId,
  selectedOrganizationId: absentWhenEmpty(OrganizationId, shortText),
});

export const ConnectionToken = z.strictObject({
  desktopToken: z.string(),
  expiresAt: z.int().describe("Seconds since the epoch."),
});

export const AuthorizeConnectionBody = z.strictObject({
  desktopToken: text(1, 4_096),
  machineApiKey: text(1, 255),
  selectedOrganizationId: absentWhenEmpty(OrganizationId, shortText),
  machineId: absentWhenEmpty(Uuid, {
    type: "string",
    pattern: "^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$",
  }),
  remotePeerId: absentWhenEmpty(PeerId, shortText),
  /** The peer's own id of this request: accepted, since the specification has it, and unused. */
  id: absentWhenEmpty(text(0, 255), shortText),
});

/** With which a driver opens its tunnel, once. */
export const TunnelTicket = z.strictObject({
  url: z.url(),
  ticket: z.string(),
  expiresAt: z.int().describe("Seconds since the epoch."),
});

export const ConnectionAuthorization = z.strictObject({
  allowed: z.boolean(),
  reason: z.enum(viewerRefusals).nullable(),
  organization_id: z.string(),
  machine_id: z.uuid().nullable(),
  tunnel: TunnelTicket.optional(),
});
