import { Button } from "../../parts/button.tsx";
import type { ExpectedPiece } from "./missed-piece.ts";

interface MissedPartProps {
  readonly piece: ExpectedPiece;
  readonly isBusy: boolean;
  readonly onLeaveOut: () => void;
}

/** A part of the last recorded screen that a verification did not find, often a number that each run has anew. */
export function MissedPart({ piece, isBusy, onLeaveOut }: MissedPartProps) {
  return (
    <div class="missed-part">
      <p>Each step was done, but the end does not show this part as it was recorded:</p>
      <img src={`data:image/png;base64,${piece.png}`} alt="The part of the last screen as it was recorded" />
      <p>
        If it shows what is new in each run, such as a number, leave it out. Otherwise look at the run:
        something went wrong.
      </p>
      <Button text="Leave it out and verify again" class="primary" disabled={isBusy} onClick={onLeaveOut} />
    </div>
  );
}
