import * as z from "zod";
import { viewerRefusals } from "../vocabulary/machines.ts";
import { OrganizationId, Uuid } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { text } from "./fields/text.ts";

/** The specification's sample has empty strings, so "" is treated as absent. */
function absentWhenEmpty<T extends z.ZodType>(schema: T, wire: Readonly<Record<string, unknown>>) {
  return z.preprocess((value) => (value === "" ? undefined : value), schema.optional()).meta({ wire });
}

const shortText = { type: "string", maxLength: 255 } as const;
const PeerId = text(1, 255);
const SelectedOrganizationId = text(1, 255);

export const ConnectionTokenBody = z
  .strictObject({
    remotePeerId: example(PeerId, "peer-1").describe("The id of the peer that the token is for."),
    selectedOrganizationId: absentWhenEmpty(SelectedOrganizationId, shortText).describe(
      'The organization that the viewer has chosen: that of the credentials, where there are any; "" is the same as absent.',
    ),
  })
  .describe("The peer that asks for a driver connection token.");

export const ConnectionToken = z
  .strictObject({
    desktopToken: example(z.string(), "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl").describe(
      "The driver connection token, which `authorize-connection` checks.",
    ),
    expiresAt: example(z.int(), 1_795_262_400).describe(
      "Time at which the token expires, in seconds since the epoch.",
    ),
  })
  .describe("A driver connection token and its expiry.");

export const AuthorizeConnectionBody = z
  .strictObject({
    desktopToken: text(1, 4_096).describe("The driver connection token that the peer presented."),
    machineApiKey: text(1, 255).describe("The API key that the machine's driver uses."),
    selectedOrganizationId: absentWhenEmpty(SelectedOrganizationId, shortText).describe(
      'The organization that the viewer has chosen; "" is the same as absent.',
    ),
    machineId: absentWhenEmpty(Uuid, {
      type: "string",
      pattern: "^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$",
    }).describe('The machine to open; "" is the same as absent.'),
    remotePeerId: absentWhenEmpty(PeerId, shortText).describe(
      'The id of the peer, as the token has it; "" is the same as absent.',
    ),
    id: absentWhenEmpty(text(0, 255), shortText).describe(
      "The peer's own id of this request, which the service accepts and does not use.",
    ),
  })
  .describe("The credentials of a driver and of the peer that wants to open its desktop.");

export const TunnelTicket = z
  .strictObject({
    url: example(z.url(), "wss://tunnel.example.com").describe("The WebSocket address of the tunnel."),
    ticket: example(z.string(), "tk_0198c0de7a1b7c3d").describe(
      "The ticket, good once, for the handshake's header `Authorization: Ticket <ticket>`.",
    ),
    expiresAt: example(z.int(), 1_795_262_400).describe(
      "Time at which the ticket expires, in seconds since the epoch.",
    ),
  })
  .describe("The address and the ticket with which a driver opens its tunnel once.");

export const ConnectionAuthorization = z
  .strictObject({
    allowed: z.boolean().describe("Whether the viewer that the token names may open the desktop."),
    reason: z
      .enum(viewerRefusals)
      .nullable()
      .describe("The reason why the viewer may not open the desktop; null if it may."),
    organization_id: OrganizationId.describe("The organization of the machine's API key."),
    machine_id: z.uuid().nullable().describe("The machine that the request names; null if it names none."),
    tunnel: TunnelTicket.optional().describe(
      "The driver's own permission to open its tunnel; absent if its API key may open none.",
    ),
  })
  .describe("The decision whether a viewer may open a desktop, and the driver's ticket for its tunnel.");
