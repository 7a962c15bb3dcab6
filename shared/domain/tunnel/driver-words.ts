import type { DomainError } from "../errors.ts";

/**
 * Returns the driver's own words where it refused or failed, or the message. They may quote what was typed, so they are for
 * those who made the request, and never part of a message, which is logged.
 */
export function driverWordsOf({ details, message }: DomainError): string {
  const isDriverText = typeof details === "object" && details !== null && "driver_message" in details;
  return (isDriverText && String(details.driver_message)) || message;
}
