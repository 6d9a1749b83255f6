"""Endings in words: how a match ended, who starts the next one, who won a game and why.

Pages and mails say the same sentences; each names only what everybody at the table saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .game_result import EndReason, GameResult
from .match_summary import ClosedFigure, MadeEight, MatchSummary, NextStart, SideScore, StartReason
from .phrases import ENGLISH_TRANSLATOR, GameTranslator
from .solo import EIGHT_POINTS, FREE_CELL_POINTS, SOLO_GRADES, grade_solo_score
from .solo_progress import HIGHEST_SOLO_SCORE, SoloProgress

# ------------------------------------------------------------------------------------------------- a match


def format_match_headline(summary: MatchSummary, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """Format the end of a match as a headline."""
    if summary.eight:
        who = translator.format_seat(summary.eight.seat)
        if summary.kind == "blind":
            return translator.gettext("An 8 by {who} ends the blind match").format(who=who)
        return translator.gettext("An 8 by {who} ends match {n}").format(who=who, n=summary.match_no)
    if summary.kind == "blind":
        return (
            translator.gettext("The blind match is over: the board is full")
            if summary.ending == "full"
            else translator.gettext("The blind match is over: the tower is empty")
        )
    sentence = (
        translator.gettext("Match {n} is over: the board is full")
        if summary.ending == "full"
        else translator.gettext("Match {n} is over: the tower is empty")
    )
    return sentence.format(n=summary.match_no)


def describe_eight(eight: MadeEight, translator: GameTranslator = ENGLISH_TRANSLATOR) -> list[str]:
    """The 8 that ended a match, with every answer to it."""
    sentences = [
        translator.gettext(
            "{who} made an 8 on {cells}: 8 points. Marked points count only if they were protected."
        ).format(who=translator.format_seat(eight.seat), cells=translator.format_and_list(cells))
        for cells in eight.cells[:1]
    ]
    if len(eight.cells) > 1:
        sentences.append(
            translator.gettext("The same tile made a second 8. Two 8s by one tile count as one.")
        )
    if not eight.answers:
        sentences.append(translator.gettext("Nobody could answer it."))
    for seat, answer in eight.answers:
        who = translator.format_seat(seat)
        sentences.append(
            translator.gettext("{who} passed.").format(who=who)
            if answer == "pass"
            else translator.gettext("{who} protected the points with {card}.").format(
                who=who, card=translator.format_card_use(answer)
            )
        )
    return [translator.capitalize_sentence(sentence) for sentence in sentences]


class FigureCount(NamedTuple):
    """The figures of one kind: the kind, their points together, and how many as text."""

    kind: str
    points: int
    text: str


def format_figure_counts(
    figures: Sequence[ClosedFigure], translator: GameTranslator = ENGLISH_TRANSLATOR
) -> list[FigureCount]:
    """Figures counted by kind, the most valuable kind first."""
    counts = Counter((figure.value, figure.kind) for figure in figures)
    plurals = {
        "small circle": lambda n: translator.ngettext("{n} small circle", "{n} small circles", n),
        "circle": lambda n: translator.ngettext("{n} circle", "{n} circles", n),
        "square": lambda n: translator.ngettext("{n} square", "{n} squares", n),
    }
    return [
        FigureCount(kind, value * n, plurals[kind](n).format(n=n))
        for (value, kind), n in sorted(counts.items(), reverse=True)
    ]


def describe_score_note(
    line: SideScore, summary: MatchSummary, translator: GameTranslator = ENGLISH_TRANSLATOR
) -> str:
    """Describe the parts of a side's score beyond its marked figures; empty if there are none."""
    if line.silly_seat:
        return translator.gettext("silly match: tile {tile} on the table gives {points}").format(
            tile=line.silly_tile, points=translator.format_points(line.score)
        )
    if line.refused_tile:
        return translator.gettext("no points for tile {tile}: a duty was passed up").format(
            tile=line.refused_tile
        )
    if not summary.eight:
        return ""
    notes = []
    if line.side == summary.eight.side:
        notes.append(translator.gettext("8 points for the 8"))
    if line.marked_points and line.score >= line.marked_points + 8 * (line.side == summary.eight.side):
        notes.append(translator.gettext("marked points kept"))
    elif line.marked_points:
        notes.append(translator.gettext("marked points lost to the 8"))
    return ", ".join(notes)


def describe_side_score(
    line: SideScore, summary: MatchSummary, translator: GameTranslator = ENGLISH_TRANSLATOR
) -> str:
    """A side's figures, score and total in one sentence."""
    closed = translator.format_and_list(
        [count.text for count in format_figure_counts(line.figures, translator)]
    )
    note = describe_score_note(line, summary, translator)
    sentence = translator.gettext("{who}: {closed}; {points} in this match, {total} in all.").format(
        who=translator.format_side(line.side),
        closed=", ".join(filter(None, [closed or translator.gettext("nothing closed"), note])),
        points=translator.format_points(line.score),
        total=line.total,
    )
    return translator.capitalize_sentence(sentence)


def describe_next_start(start: NextStart, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """Describe the starter of the next match and the reason."""
    if start.kind == "blind":
        sentence = translator.gettext(
            "Several sides are level at the target, so a blind match follows: no cards, no table tiles."
            " {who} starts as the oldest player. Cards in hand are thrown away."
        )
    elif start.reason == StartReason.LEAD:
        sentence = translator.gettext("{who} leads and starts match {n}.")
    elif start.reason == StartReason.TABLE_TILE and start.is_level:
        sentence = translator.gettext(
            "{who} starts match {n}: level in the lead, with the highest table tile, {tile}."
        )
    elif start.reason == StartReason.TABLE_TILE:
        sentence = translator.gettext(
            "{who} starts match {n}: this pair leads, and {tile} is the higher of its table tiles."
        )
    elif start.is_level:
        sentence = translator.gettext(
            "{who} starts match {n}: level in the lead, and the oldest player among those."
        )
    else:
        sentence = translator.gettext(
            "{who} starts match {n}: this pair leads with equal table tiles, and its older player begins."
        )
    return translator.capitalize_sentence(
        sentence.format(who=translator.format_seat(start.seat), n=start.match_no, tile=start.tile)
    )


def describe_match_summary(
    summary: MatchSummary, translator: GameTranslator = ENGLISH_TRANSLATOR
) -> list[str]:
    """A whole summary as sentences, for mails and screen readers."""
    sentences = describe_eight(summary.eight, translator) if summary.eight else []
    if summary.kind != "solo":
        sentences += [describe_side_score(line, summary, translator) for line in summary.scores]
    if summary.next_start:
        sentences.append(describe_next_start(summary.next_start, translator))
    return sentences


# -------------------------------------------------------------------------------------------------- a game


def format_score_line(result: GameResult, own_side: int | None) -> str:
    """The totals as `27 : 20`: the viewer's first, else by rank."""
    lines = sorted(result.ranking, key=lambda line: line.side != own_side)
    return " : ".join(str(line.total) for line in lines)


def format_result_headline(
    result: GameResult,
    own_side: int | None = None,
    translator: GameTranslator = ENGLISH_TRANSLATOR,
) -> str:
    """Format the result as the viewer's side sees it; for spectators own_side is None."""
    if result.reason in (EndReason.SOLO_WON, EndReason.SOLO_LOST):
        return _format_solo_headline(result, translator)
    score = format_score_line(result, own_side)
    if result.winner is None:
        return translator.gettext("A draw, {score}").format(score=score)
    if own_side is None:
        who, names = translator.format_side(result.winner), translator.count_side_seats(result.winner)
        if not result.is_decided_by_totals:
            return translator.ngettext("{who} won", "{who} won", names).format(who=who)
        return translator.ngettext("{who} won {score}", "{who} won {score}", names).format(
            who=who, score=score
        )
    if len(result.ranking) > 2:
        return _format_ranked_headline(result, own_side, translator)
    return _format_own_headline(result, own_side, translator).format(score=score)


def _format_own_headline(result: GameResult, own_side: int, translator: GameTranslator) -> str:
    """Format the result of one of two sides, for its own players; with the score where it shows who won."""
    is_pair, has_won = translator.count_side_seats(own_side) > 1, own_side == result.winner
    if result.is_decided_by_totals and has_won:
        return (
            translator.gettext("Your side won {score}") if is_pair else translator.gettext("You won {score}")
        )
    if result.is_decided_by_totals:
        return (
            translator.gettext("Your side lost {score}")
            if is_pair
            else translator.gettext("You lost {score}")
        )
    if has_won:
        return translator.gettext("Your side won") if is_pair else translator.gettext("You won")
    return translator.gettext("Your side lost") if is_pair else translator.gettext("You lost")


def _format_ranked_headline(result: GameResult, own_side: int, translator: GameTranslator) -> str:
    """The rank of a side among three or four."""
    points = translator.format_points(result.total_of(own_side))
    if own_side == result.winner:
        sentence = (
            translator.gettext("You won with {points}")
            if result.is_decided_by_totals
            else translator.gettext("You won")
        )
    else:
        sentence = {
            2: translator.gettext("You came second with {points}"),
            3: translator.gettext("You came third with {points}"),
            4: translator.gettext("You came fourth with {points}"),
        }.get(result.rank_of(own_side), translator.gettext("You lost"))
    return sentence.format(points=points)


def _format_solo_headline(result: GameResult, translator: GameTranslator) -> str:
    """The outcome of a solo match."""
    if result.reason == EndReason.SOLO_LOST:
        return translator.gettext("The solo match is lost")
    score = result.ranking[0].total
    return translator.gettext("Solved with {points}: {level}").format(
        points=translator.format_points(score),
        level=format_solo_grade(grade_solo_score(score) or "narrow", translator),
    )


def describe_result(
    result: GameResult,
    translator: GameTranslator = ENGLISH_TRANSLATOR,
    timed_out_side: int | None = None,
) -> list[str]:
    """Describe the decision of a game; `timed_out_side` is a side that was resigned by timeout."""
    score = format_score_line(result, None)
    sentences = []
    if result.reason == EndReason.TARGET:
        sentence = translator.gettext("The target of {target} is reached, and the highest total wins.")
        sentences.append(sentence.format(target=result.target))
    elif result.reason == EndReason.RESIGNED and result.last_resigned_side:
        side = result.last_resigned_side
        who, names = translator.format_side(side), translator.count_side_seats(side)
        if side == timed_out_side:
            sentence = translator.gettext("Time ran out for {who}; the score was {score}.")
        else:
            sentence = translator.ngettext(
                "{who} resigned; the score was {score}.", "{who} resigned; the score was {score}.", names
            )
        sentences.append(translator.capitalize_sentence(sentence.format(who=who, score=score)))
    if result.had_blind_match and result.reason != EndReason.RESIGNED:
        sentences.append(_describe_blind_match(result, score, translator))
    for round_no, tiles in enumerate(result.shootout_rounds, 1):
        drawn = ", ".join(f"{translator.format_side(side)} {tile}" for side, tile in tiles.items())
        sentences.append(translator.gettext("Shoot-out, round {n}: {tiles}.").format(n=round_no, tiles=drawn))
    return sentences


def _describe_blind_match(result: GameResult, score: str, translator: GameTranslator) -> str:
    """The line that explains the blind match and what came of it."""
    if result.reason == EndReason.BLIND_EIGHT:
        return translator.gettext(
            "Level at the target, so a blind match decided, without cards and table tiles: an 8 in it wins "
            "the game at once, whatever the totals ({score})."
        ).format(score=score)
    if result.reason == EndReason.SHOOT_OUT:
        return translator.gettext(
            "Level at the target and level again after a blind match ({score}), so a shoot-out decided: the "
            "highest tile drawn from the tower wins."
        ).format(score=score)
    if result.reason == EndReason.LEVEL:
        return translator.gettext(
            "Level at the target, level after a blind match ({score}), and the tower was empty before a "
            "shoot-out could decide: a draw."
        ).format(score=score)
    return translator.gettext(
        "Level at the target, so a blind match decided, without cards and table tiles: its points were added."
    )


# ---------------------------------------------------------------------------------------------------- solo


def format_solo_grade(grade: str, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """The name of a level."""
    return {
        "narrow": translator.gettext("a narrow win"),
        "good": translator.gettext("good"),
        "great": translator.gettext("great"),
        "master": translator.gettext("a master"),
    }[grade]


def describe_solo_levels(translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """The levels of a solo score in one sentence."""
    least = {grade: points for points, grade in SOLO_GRADES}
    return translator.gettext(
        "Below {good} a narrow win, from {good} good, from {great} great, from {master} a master. The highest"
        " possible score is {highest}."
    ).format(good=least["good"], great=least["great"], master=least["master"], highest=HIGHEST_SOLO_SCORE)


def describe_solo_goal(progress: SoloProgress, translator: GameTranslator = ENGLISH_TRANSLATOR) -> list[str]:
    """The goal of a running solo match, what is still missing, and the level that can still be reached."""
    sentences = [
        translator.gettext("Place all {n} markers and make an 8 before the board is full.").format(
            n=progress.marker_count
        ),
        (
            translator.gettext("Markers placed: {placed} of {n}. The 8 is made.")
            if progress.has_eight
            else translator.gettext("Markers placed: {placed} of {n}. No 8 yet.")
        ).format(placed=progress.markers_placed, n=progress.marker_count),
    ]
    if progress.best_grade:
        sentences.append(
            translator.gettext("Still within reach: {points}, {level}.").format(
                points=translator.format_points(progress.best_score),
                level=format_solo_grade(progress.best_grade, translator),
            )
        )
    return sentences


def describe_solo_result(
    progress: SoloProgress, translator: GameTranslator = ENGLISH_TRANSLATOR
) -> list[str]:
    """The level reached and what the score consists of; for a lost match what was missing."""
    if not progress.grade:
        return [
            (
                translator.gettext("{placed} of {n} markers were placed, and the 8 was made.")
                if progress.has_eight
                else translator.gettext("{placed} of {n} markers were placed, and no 8 was made.")
            ).format(placed=progress.markers_placed, n=progress.marker_count)
        ]
    parts = [
        translator.gettext("{n} for the markers").format(n=progress.marker_points),
        translator.gettext("{n} for the 8").format(n=EIGHT_POINTS),
        translator.gettext("{n} for the free cells").format(n=FREE_CELL_POINTS * progress.free_cells),
    ]
    if progress.unmarked_count:
        parts.append(
            translator.gettext("{n} less for figures without a marker").format(n=progress.unmarked_count)
        )
    sentences = [", ".join(parts) + "."]
    if progress.next_grade:
        name, missing = progress.next_grade
        sentences.append(
            translator.ngettext(
                "{n} point more would be {level}.", "{n} points more would be {level}.", missing
            ).format(n=missing, level=format_solo_grade(name, translator))
        )
    elif progress.score == HIGHEST_SOLO_SCORE:
        sentences.append(translator.gettext("Nobody can do better: this is the highest score."))
    else:
        sentences.append(
            translator.gettext("Highest possible score: {highest}.").format(highest=HIGHEST_SOLO_SCORE)
        )
    return sentences
