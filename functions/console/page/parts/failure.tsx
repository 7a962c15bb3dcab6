import { requestIdOf, sentenceOf } from "../data/say-failure.ts";
import { Button } from "./button.tsx";

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** The API's own sentence. */
export function Failure({ error, onRetry }: FailureProps) {
  const requestId = requestIdOf(error);
  return (
    <div class="failure" role="alert">
      <p>
        {sentenceOf(error)}
        {requestId === undefined ? null : <small>request {requestId}</small>}
      </p>
      {onRetry === undefined ? null : <Button text="Try again" class="small" onClick={onRetry} />}
    </div>
  );
}
