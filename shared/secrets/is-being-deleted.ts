import { InvalidRequestException, ResourceNotFoundException } from "@aws-sdk/client-secrets-manager";

export function isBeingDeleted(error: unknown): boolean {
  return error instanceof InvalidRequestException && /deletion/i.test(error.message);
}

export function isDeleted(error: unknown): boolean {
  return error instanceof ResourceNotFoundException || isBeingDeleted(error);
}
