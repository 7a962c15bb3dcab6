import {
  AuthorizeConnectionBody,
  ConnectionAuthorization,
  ConnectionToken,
  ConnectionTokenBody,
} from "../driver-authorization.ts";
import { defineOperations } from "./operation.ts";

export const driverOperations = defineOperations("Driver", [
  {
    id: "createConnectionToken",
    method: "POST",
    path: "/api/driver/connection-token",
    idempotency: "leased",
    summary: "Mints a driver connection token",
    description:
      "Good for 120 seconds. A bearer credential, when one is sent, is verified and put into the token as its viewer; without one the token says only which peer it is for, and lets nobody in. At most 60 a minute from one address.",
    access: "body",
    body: ConnectionTokenBody,
    example: { remotePeerId: "peer-1", selectedOrganizationId: "" },
    responses: {
      200: {
        description: "The token, and when it expires in seconds since the epoch.",
        schema: ConnectionToken,
      },
    },
    refusals: {
      401: "The bearer credential that was sent is not valid.",
      403: "The credential that was sent may only open tunnels.",
    },
  },
  {
    id: "authorizeConnection",
    method: "POST",
    path: "/api/driver/authorize-connection",
    summary: "Authorizes a driver connection",
    description:
      "`allowed` says whether another party may open the desktop: only if the token carries a verified viewer of the key's organization and the peer given is the token's. `tunnel` is the driver's own permission to connect, good for one connection within 60 seconds. Presenting the same token again returns the same ticket while it is unused. At most 60 a minute from one address.",
    access: "body",
    body: AuthorizeConnectionBody,
    example: {
      desktopToken: "<DESKTOP_TOKEN>",
      machineApiKey: "<API_KEY>",
      selectedOrganizationId: "",
      machineId: "",
      remotePeerId: "peer-1",
      id: "",
    },
    responses: {
      200: {
        description: "The decision, with the reason for a refusal and the driver's own ticket.",
        schema: ConnectionAuthorization,
      },
    },
    refusals: {
      401: "The token is malformed, forged, expired or used, or the key is not valid.",
      404: "The machine named is not the organization's.",
    },
  },
]);
