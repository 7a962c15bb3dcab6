/** The stand-ins are those of one account and one Region. */
export const localAccount = "000000000000";
export const localRegion = "us-east-1";

export function localArn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}

export function apiHostName(apiId: string): string {
  return `${apiId}.execute-api.${localRegion}.amazonaws.com`;
}
