import { AwsError } from "../aws-error.ts";

export function secretNotFound(): AwsError {
  return new AwsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
}

export function secretExists(message: string): AwsError {
  return new AwsError(400, "ResourceExistsException", message);
}

export function invalidSecretRequest(message: string): AwsError {
  return new AwsError(400, "InvalidRequestException", message);
}

export function invalidSecretParameter(message: string): AwsError {
  return new AwsError(400, "InvalidParameterException", message);
}

export function invalidNextToken(): AwsError {
  return new AwsError(400, "InvalidNextTokenException", "Invalid NextToken.");
}

export function secretValidation(message: string): AwsError {
  return new AwsError(400, "ValidationException", message);
}

export function markedForDeletion(): AwsError {
  return invalidSecretRequest(
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
}
