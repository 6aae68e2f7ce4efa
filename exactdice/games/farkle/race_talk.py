"""A person who plays a race of two at Farkle: what they are asked and told."""

from exactdice.arithmetic import decimal, natural
from exactdice.games.farkle.race_advice import Way
from exactdice.games.farkle.race_play import RaceDecision, RaceGame, RaceSituation
from exactdice.games.farkle.selections import roll_text
from exactdice.run import Run

__all__ = ["RacePerson"]

_PLACES = 6  # of a regret


class RacePerson:
    """Someone who is asked for each choice of one player, and told what it cost.

    Parameters
    ----------
    game
        The race.
    you
        Which player they are: 0 or 1.
    run
        Through which the person is asked and told.
    """

    def __init__(self, game: RaceGame, you: int, run: Run) -> None:
        self._game, self._you, self._run = game, you, run
        self._heard = 0
        run.say("Choose what to do by its number.")
        self._tell_of_rolls()

    def __call__(self, situation: RaceSituation) -> int:
        """Ask for the number of a way on."""
        self._run.say(
            f"\nYou have {situation.own}, the opponent {situation.other}; "
            f"{situation.points} in this turn. "
            f"You roll {roll_text(situation.roll)} with {situation.left}."
        )
        if any(situation.busts):
            yours, theirs = situation.busts
            self._run.say(f"Busts in a row before: {yours} of yours, {theirs} of the opponent's.")
        dice = self._game.chances.players[self._you].dice
        wide = len(str(len(situation.ways)))
        for number, way in enumerate(situation.ways, 1):
            self._run.say(f"  {number:{wide}}  {_words(way, dice.describe(way.rolled))}")
        chosen = self._run.choose(
            "choice? ", lambda line: natural(line, "choice", least=1, most=len(situation.ways))
        )
        return chosen - 1

    def hear(self, decision: RaceDecision) -> None:
        """Tell what a choice cost, or what the opponent did."""
        situation, choice = decision.situation, decision.choice
        keep = roll_text(choice.way.selection.keep)
        if situation.mover != self._you:
            self._run.say(
                f"The opponent rolls {roll_text(situation.roll)}, keeps {keep} for "
                f"{choice.way.selection.score} and {choice.way.then}s."
            )
        elif choice.best:
            self._run.say("No choice was better.")
        else:
            best = decision.best.way
            cost = decimal(choice.regret.middle, _PLACES)
            self._run.say(
                f"That cost {cost} of your chance to win; best was to keep "
                f"{roll_text(best.selection.keep)} and {best.then}."
            )
        self._tell_of_rolls()

    def hear_the_end(self) -> None:
        """Tell who has won."""
        self._run.say("\nYou have won." if self._game.winner == self._you else "\nYou have lost.")

    def _tell_of_rolls(self) -> None:
        """Tell of the rolls since the last choice on which nobody had to decide."""
        for rolled in self._game.undecided[self._heard :]:
            shown = f"The opponent rolls {roll_text(rolled.roll)}"
            if isinstance(rolled, RaceSituation):
                yours = f"You roll {roll_text(rolled.roll)}"
                self._run.say(f"{yours if rolled.mover == self._you else shown}: a bust.")
            elif rolled.choice is None:
                self._run.say(f"{shown}: a bust.")
            else:
                keep, then = roll_text(rolled.choice.keep), rolled.choice.then
                self._run.say(f"{shown}, keeps {keep} for {rolled.choice.score} and {then}s.")
        self._heard = len(self._game.undecided)


def _words(way: Way, rolled: str) -> str:
    kept = f"keep {roll_text(way.selection.keep)} for {way.selection.score} and "
    return kept + ("bank" if way.then == "bank" else f"roll {rolled}")
