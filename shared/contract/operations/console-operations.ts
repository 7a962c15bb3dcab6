import * as z from "zod";
import { defineOperations } from "./operation.ts";
import { assetResponses, shipped, shippedAsset, shippedHeaders } from "./shipped-operations.ts";

const unchanged = {
  description: "The file is still what `If-None-Match` names.",
  headers: shippedHeaders,
} as const;

const page = {
  ...shipped,
  summary: "Shows the console as a page",
  description: "The page for people is the same at each of its addresses, which it reads itself. Public.",
  responses: {
    200: { description: "The page.", contentType: "text/html", headers: shippedHeaders },
    304: unchanged,
  },
} as const;

const section = z.string().describe("The section of the console, such as `machines`.");
const item = z.string().describe("The thing that the section shows, such as a machine by its id.");

export const consoleOperations = defineOperations("Console", [
  { ...page, id: "getConsole", path: "/console" },
  {
    ...page,
    id: "getConsoleSection",
    path: "/console/{section}",
    pathParameters: z.strictObject({ section }),
  },
  {
    ...page,
    id: "getConsoleItem",
    path: "/console/{section}/{item}",
    pathParameters: z.strictObject({ section, item }),
  },
  {
    ...shippedAsset,
    id: "getConsoleAsset",
    path: "/console/assets/{file}",
    summary: "Reads a file of the console",
    responses: assetResponses(unchanged),
  },
]);
