"""What stands beside a move: sentences that put it off, take it back or leave it open, and those that change nothing."""

from host.play.interpret import read
from tests.play.judging import plan, played_to_its_end, seated
from tests.play.strangers_now import FOLDER
from tests.rows import every

MOVES = (
    ("champ-cards-pick-1", "pick 5"),
    ("champ-cards-offer-1", "accept"),
    ("champ-cards-bet-1", "bet 2000"),
    ("bluffjack-bet-1", "raise 20"),
    ("bluffjack-card-1", "hit"),
    ("champion-poker-play-1", "play"),
    ("game-of-champions-battle-1", "continue"),
    ("split-decision-peek-1", "low"),
)

LEFT_OPEN = """
{}. Ignore.
{}. Please ignore.
{}. Delete that.
{}. Kidding.
{}. That was a joke.
{}. Fooled you!
{}. Oh no! Wrong window.
{}. I misread the cards.
{}. Undecided.
{}. Do it tomorrow.
{}. Not yet!
{}. Wait for my next mail.
{}. Please don't play it before Sunday.
{}. Please confirm before playing.
{}. Ask me again before you do it.
{}, sent by mistake
{}. Sent too early, sorry.
{}. Please wait for my real answer.
{}: bad idea
{} - bad idea
{}, no thanks
{} - no way
{}, assuming Bob doesn't
{}, pending my wife's approval
{}, subject to change
{}, once my wife agrees
{}, as soon as my brother is back
{}. Once he says yes.
{}, but let me sleep on it
{}, but I'll confirm later
torn between {} and something else
thinking of {}
{}. I have not decided yet.
{}. I can't make up my mind.
{}. Should I?
{}. Can I?
{}. Yes or no?
Tomorrow: {}
Next time: {}
Bob wrote: {}
Tell Bob: {}
"{}", said my wife. She knows nothing.
make me a better offer and I {}
not now: {}
plan B: {}
Test: {}
Example: {}
I dreamt: {}
Bob told me: {}
{}, for example
{}, waiting for approval
{}, awaiting your advice
{}, to be discussed
{}, open to suggestions
{}, thoughts?
{}, maybe?
{} is an option
say I {}
why {}
thanks for the {}
{} - that's what Bob would do
{}, Bob said
{}, says my wife
{}, I'm joking
{}, over my dead body
{}, and not today
{}, and do it tomorrow
{}, and ask me again first
{}, I'd say, if the queen holds
{}. Tomorrow.
{}. Not sure.
{}. Not final.
{}. After Ann.
{}. Wait for Bob first.
{}. Ask me again tomorrow.
{}. Can I see my cards first?
{}. Don't post it yet.
{}. Might still change.
{}. My final answer comes tonight.
{}. I'll let you know.
{}. Next time.
{}. If my husband agrees.
{}. Only with a good hand.
{}. As soon as Bob has.
{}. I wish.
{}. Dream on.
{}. That's for the other table.
{}. My brother typed that.
{}. Still thinking.
{}, still deciding
{}. Weighing my options.
I'm still thinking, {}
not sure, but {}
"""
"""Behind or around a move: nothing is played."""

GONE_ON = """
{}. It was a long day.
{}. I don't mind.
{}. See you tomorrow!
{}, but I have a bad feeling about it
{}. Kids are asleep, finally.
{}. I was on holiday until Monday.
{}. We had rain yesterday.
{}. Sorry for the late answer.
{}. I have to go to bed early.
{}. Good luck everybody!
{} would be nice
{} tonight
{}. My wife says hello.
{}. Not bad, this game.
{}. No idea why I do this to myself.
Sorry for the delay, {}
After much thought: {}
My move: {}
I made up my mind: {}
{}. I misread the letter at first, sorry.
{}. My last bet was a mistake.
{}. My first mail was sent by accident.
{}. Too early for me, need coffee.
{}. No joke.
{}. These cards are a joke.
{}. Fooled me once!
{}. No way back now!
{}. No way I lose.
{}. I'm not yet beaten.
{}. Assuming you're all well.
{}. My jacket is torn.
{}. Probably a bad idea, but fun.
{}. I couldn't decide for days.
{}. Let me ask something: when is the next round?
{}. I'll look in again tonight.
{}. I must look after the kids.
{}. I'll think about the next one tonight.
{}. I'll ask Bob for a rematch.
{}. Said my prayers.
{}. Tell me how it goes.
{}. Tell me who won.
{}. Please confirm receipt.
{}. Please do it before I lose my nerve.
{}. Don't do this at home.
{}. Please ignore the other mail.
{}. Never.
{}. I don't like it.
As Bob said: {}
{}. On reflection it's the only choice.
{}. On second reading the rules make sense.
{}. It was wrong of me to wait so long.
{}. This is all wrong but fun.
{}. I was thinking about it all day.
{}. It's too nice a day to sit inside.
"""
"""Around a move it changes nothing."""


@every(("frame", "name", "move"), [(each, *move) for each in LEFT_OPEN.strip().splitlines() for move in MOVES])
def test_a_move_that_is_left_open_is_asked_about(frame: str, name: str, move: str) -> None:
    assert plan(name, frame.format(move)) == ()


@every(("frame", "name", "move"), [(each, *move) for each in GONE_ON.strip().splitlines() for move in MOVES])
def test_what_speaks_of_something_else_changes_nothing(frame: str, name: str, move: str) -> None:
    assert plan(name, frame.format(move)) == (move,)


@every(
    ("name", "text"),
    [
        ("champ-cards-bet-1", "3000 is too much. I need to think."),
        ("champ-cards-bet-1", "Half is too much."),
        ("champ-cards-bet-1", "The maximum is too much for me."),
        ("champ-cards-bet-1", "3000 is a bit much"),
        ("champ-cards-bet-1", "just under 3000"),
        ("champ-cards-bet-1", "<3000"),
        ("champ-cards-bet-1", "my better half"),
        ("champ-cards-bet-1", "3000 sind zu viel"),
        ("champ-cards-bet-1", "moins de 3000"),
        ("champ-cards-bet-1", "unter 3000"),
        ("champ-cards-bet-1", "3000 oder 2000"),
        ("champ-cards-cut-1", "20 is too much"),
        ("champ-cards-cut-1", "on the 20th"),
        ("champ-cards-cut-1", "it's 20 here"),
        ("champ-cards-cut-1", "5 is good but 6 is better"),
        ("champion-poker-bet-1", "10 is too much"),
        ("champion-poker-bet-1", "10 would be too much"),
        ("champion-poker-raise-1", "10 more is too much"),
        ("champion-poker-raise-1", "the raise is 10"),
        ("champ-cards-offer-1", "no, I mean yes"),
        ("champ-cards-offer-1", "yes, no"),
        ("champ-cards-offer-1", "sí y no"),
        ("champ-cards-pick-1", "pick 5\n\nPS pick 6 after all"),
        ("champ-cards-pick-1", "pick 5\n\nPS 6 after all"),
        ("champ-cards-pick-1", "pick 5. On reflection pick 6"),
        ("champ-cards-pick-1", "pick 5. 6 is better though."),
        ("champ-cards-pick-1", "I want a 9"),
        ("champ-cards-pick-1", "hoping for an 8"),
        ("champ-cards-pick-1", "please be a 9"),
        ("champ-cards-pick-1", "it's 7 here"),
        ("champ-cards-pick-1", "it is 7 in the evening here"),
        ("champ-cards-pick-1", "Bob: pick 5"),
        ("champ-cards-pick-1", 'Bob: "pick 5"'),
        ("champ-cards-pick-1", "Option 1: pick 5. Option 2: pick 6."),
        ("champ-cards-pick-1", "quizás el 5"),
        ("game-of-champions-turn-1", "move some cards to the queen and hold"),
        ("game-of-champions-turn-1", "give the king my two highest and hold"),
        ("split-decision-bet-1", "bet 500 A 7 3"),
        ("split-decision-bet-1", "bet 500 7 3 A"),
        ("split-decision-bet-1", "1000 on ace and 3 would be too much"),
        ("split-decision-choose-1", "avoid 3 7 9 11"),
        ("split-decision-choose-1", "I won with 1 4 6 7 once"),
        ("split-decision-choose-1", "why would I choose 1 4 6 7"),
        ("split-decision-choose-1", "Next time I choose 1 4 6 7"),
        ("split-decision-choose-1", "I am away on the 7th, 8th, 9th and 10th"),
        ("split-decision-choose-1", "call me at 06 12 14 15"),
        ("split-decision-question-1", "will answer soon"),
        ("split-decision-question-1", "see below"),
        ("split-decision-question-1", "Noted"),
        ("split-decision-question-1", "my turn?"),
        ("split-decision-question-1", "who is this?"),
        ("split-decision-question-1", "ignore my last mail"),
        ("split-decision-question-1", "48 hours is not enough"),
        ("split-decision-question-1", "Back from holiday"),
        ("split-decision-question-1", "10 minutes please"),
        ("split-decision-question-1", "did Ann answer?"),
        ("split-decision-question-1", "Kind regards\nAnn King"),
        ("split-decision-question-1", "Regards\nBob"),
        ("split-decision-question-1", "got your letter"),
        ("split-decision-question-1", "the answer is obvious"),
        ("split-decision-question-1", "it's on the tip of my tongue"),
        ("split-decision-suit-1", "no corazones"),
        ("split-decision-suit-1", "nicht Herz"),
        ("split-decision-suit-1", "corazones no"),
        ("split-decision-suit-1", "Regards\nAnn Hearts"),
        ("game-of-champions-roshambo-1", "no piedra"),
        ("game-of-champions-roshambo-1", "piedra no"),
        ("champion-poker-play-1", "nice to play with you"),
        ("champion-poker-play-1", "I love to play this"),
        ("split-decision-no-peek-1", "give Ann my regards"),
        ("split-decision-no-peek-1", "I'm feeling blue"),
        ("split-decision-no-peek-1", "pass to Ann, no, Cleo"),
        ("game-of-champions-battle-1", "stop, I need to think"),
        ("game-of-champions-battle-1", "to be continued..."),
        ("split-decision-question-1", "tough question"),
        ("split-decision-question-1", "great question"),
        ("split-decision-question-1", "what question?"),
        ("split-decision-question-1", "my answer follows"),
        ("split-decision-question-1", "letter received"),
        ("split-decision-question-1", "busy today"),
        ("split-decision-question-1", "on my way home"),
        ("split-decision-question-1", "pardon?"),
        ("split-decision-question-1", "repeat please"),
        ("split-decision-question-1", "too late?"),
        ("split-decision-question-1", "my son knows"),
        ("split-decision-question-1", "nobody knows"),
        ("split-decision-question-1", "Ask Ann"),
        ("split-decision-question-1", "Happy birthday Bob!"),
        ("split-decision-question-1", "automatic reply"),
        ("split-decision-question-1", "Best, Cleo"),
        ("split-decision-question-1", "Thanks, Cleo"),
        ("champ-cards-bet-1", "nice bet 3000!"),
        ("champ-cards-bet-1", "3k plus"),
        ("champ-cards-bet-1", "wow, 3000 in the bank"),
        ("champ-cards-cut-1", "<13"),
        ("champ-cards-cut-1", ">20"),
        ("bluffjack-bet-1", "60 in the pot"),
        ("bluffjack-bet-1", "up to you"),
        ("bluffjack-bet-1", "nice raise 20"),
        ("bluffjack-bet-1", "why fold"),
        ("bluffjack-card-1", "well done Bob"),
        ("split-decision-place-1", "highest regards"),
        ("split-decision-place-1", "high time"),
        ("split-decision-place-1", "up to you"),
        ("split-decision-choose-1", "free on 3 7 9 11"),
        ("split-decision-choose-1", "trains at 3 7 9 11"),
        ("split-decision-choose-1", "lottery numbers 3 7 9 11"),
        ("champ-cards-offer-1", "Yes, will do by Saturday."),
        ("champ-cards-offer-1", "yes, correct address"),
        ("champ-cards-offer-1", "yes, send me the rules please"),
        ("champ-cards-offer-1", "Could they stretch to 3,500? In that case it's a yes straight away."),
        ("champ-cards-bet-1", "3000-ish"),
        ("champ-cards-bet-1", "20 min"),
        ("champ-cards-bet-1", "1500 Nov"),
        ("champ-cards-pick-1", "5 Nov"),
        ("champ-cards-pick-1", "pick 5 (test)"),
        ("champ-cards-pick-1", "pick 5 - just testing"),
        ("split-decision-choose-1", "My four: 2, 7, 13"),
        ("split-decision-suit-1", "no corazones"),
        ("split-decision-question-1", "That's a hard one"),
        ("split-decision-question-1", "It is not easy"),
        ("split-decision-question-1", "This is Cleo"),
        ("split-decision-question-1", "six (or seven)"),
        ("game-of-champions-deploy-1", "one each and the rest to Ks"),
        ("game-of-champions-deploy-1", "half to Ks, the rest to Kh"),
        ("champ-cards-cut-1", "10 from the bottom"),
        ("champ-cards-pick-1", "right of the middle one"),
        ("champ-cards-offer-1", "Accept. 2000 at least"),
        ("champ-cards-offer-1", "2000. Deal!"),
        ("champ-cards-offer-1", "I'd accept (I won't)"),
        ("champion-poker-bet-1", "10 (or 20)"),
        ("bluffjack-card-1", "I had better luck hitting"),
        ("bluffjack-card-1", "I usually stand"),
        ("bluffjack-card-1", "No cards for Cleo"),
        ("bluffjack-card-1", "(hit) stand"),
        ("champ-cards-cut-1", "Cut 20 for Bob"),
        ("champ-cards-pick-1", "Give her card 5"),
        ("champ-cards-offer-1", "It's a yes from Ann"),
        ("champ-cards-offer-1", "I decline to answer"),
        ("champ-cards-offer-1", "yes please make it more"),
        ("champ-cards-bet-1", "2000 (3000 if that's allowed)"),
        ("champion-poker-play-1", "let her play"),
        ("champion-poker-raise-1", "I'd better check first"),
        ("bluffjack-card-1", "stand (kidding: hit)"),
        ("game-of-champions-order-1", "strongest first. no: last"),
        ("split-decision-question-1", "can I skip"),
        ("champion-poker-bet-1", "60 in total, or is it 60 each? 60 anyway"),
        ("bluffjack-card-1", "hit. 16 or less"),
        ("bluffjack-card-1", "hit. Below 17."),
        ("bluffjack-card-1", "stand. Over 16"),
        ("bluffjack-card-1", "stand. With 18 I would"),
        ("bluffjack-card-1", "stand. If it was 18"),
        ("bluffjack-card-1", "no, hit was a mistake"),
        ("champ-cards-choose-1", "keep. 10 or higher"),
        ("champ-cards-offer-1", "accept. 1250 is too little"),
        ("champ-cards-offer-1", "keep. 9 is too low to keep"),
        ("champ-cards-offer-1", "decline. I'll take 1250"),
        ("bluffjack-bet-1", "call it quits"),
        ("split-decision-question-1", "That'd be Paris, wouldn't it?"),
        ("split-decision-question-1", "They were the Beatles, weren't they?"),
        ("champ-cards-bet-1", "All of it. 3000"),
        ("champion-poker-raise-1", "let me check"),
        ("game-of-champions-battle-1", "go on till I lose a card, then stop"),
        ("split-decision-peek-1", "I'm feeling a bit low today"),
        ("bluffjack-card-1", "I would have hit"),
        ("bluffjack-card-1", "I should've stood"),
        ("champ-cards-cut-1", "pick one for me"),
        ("split-decision-no-peek-1", "take it, Cleo"),
        ("bluffjack-card-1", "Bob, hit me!"),
        ("champ-cards-cut-1", "cut 5, Bob"),
        ("champ-cards-bet-1", "no 2500 for me"),
        ("split-decision-head-start-1", "give me a second to think"),
        ("split-decision-head-start-1", "let me see the next, then decide"),
        ("bluffjack-bet-1", "F"),
        ("bluffjack-card-1", "s or h"),
        ("bluffjack-card-1", "Regards, S"),
        ("split-decision-question-1", "S"),
        ("split-decision-head-start-1", "Show me the other card first and then I decide between the two"),
        ("champ-cards-offer-1", "accept. Not at 1250"),
        ("champ-cards-offer-1", "accept. 5000 or nothing"),
        ("champ-cards-offer-1", "the deal is off"),
        ("champ-cards-bet-1", "Regards, Max"),
        ("bluffjack-bet-1", "check, 20"),
        ("bluffjack-bet-1", "fold. 20."),
        ("bluffjack-bet-1", "let me check first"),
        ("bluffjack-bet-2", "Sorry, got a call. Back soon"),
        ("split-decision-free-look-1", "No, I like it. Low."),
        ("split-decision-free-look-1", "no, I want it"),
        ("split-decision-free-look-1", "no, I won't refuse"),
        ("split-decision-free-look-1", "refuse. With a 3 I'd take it"),
        ("split-decision-suit-1", "Let me think.\nD."),
        ("split-decision-suit-1", "Regards, S"),
        ("split-decision-suit-1", "let her take spades"),
        ("game-of-champions-place-1", "I still have Ks"),
        ("game-of-champions-place-1", "his card is Ks"),
        ("game-of-champions-roshambo-1", "let's play rock paper scissors"),
        ("game-of-champions-battle-1", "continue. At most 3."),
        ("game-of-champions-order-1", "8 6 5, the other way round"),
        ("champ-cards-cut-1", "cut 26, then later"),
        ("split-decision-question-1", "Googling it now"),
        ("split-decision-question-1", "At work"),
        ("split-decision-question-1", "That's too easy"),
        ("split-decision-question-1", "The answer is"),
        ("split-decision-question-1", "6 (8?)"),
        ("split-decision-question-1", "6 - but don't lock that in yet"),
        ("split-decision-question-1", "Bob would say 8"),
        ("split-decision-place-1", "low on money"),
        ("split-decision-place-1", "lying low"),
        ("champion-poker-bet-1", "I'll sit out the next hand"),
        ("game-of-champions-place-1", "Need 8h"),
        ("champ-cards-offer-1", "Yes, I got it"),
        ("bluffjack-card-1", "Dead already.\n\nYrs, Geoffrey"),
        ("champ-cards-offer-1", "yes decline"),
        ("champ-cards-offer-1", "no - deal"),
        ("game-of-champions-turn-1", "Fortify. The six over to the king"),
        ("champ-cards-pick-1", "pick 1. They are face down anyway: always just the next one in line."),
        ("split-decision-question-1", "Six - no, eight"),
        ("split-decision-question-1", "I want to say eight but it's six"),
        ("bluffjack-bet-1", "must I fold"),
        ("champion-poker-bet-1", "minimum, and play whatever comes"),
        ("champ-cards-bet-1", "I put in 2500. And whatever they offer me to stop, I say no, each time."),
        ("champ-cards-bet-1", "2500. My cards: take always the next one on the board."),
        ("champion-poker-play-1", "I lose the 5, fine, fold. Next hand 20."),
        ("champion-poker-bet-1", "I'd have bet 50 and won I am sure"),
        ("champion-poker-bet-1", "5 a hand for me, this one and every one after, so you needn't ask again"),
        ("game-of-champions-turn-1", "Kc on to the A of diamonds"),
        ("bluffjack-card-1", "sure thing, will answer tonight"),
        ("champion-poker-play-1", "can play tonight"),
        ("champion-poker-bet-1", "I would like to bet 50 but my wife says no"),
        ("game-of-champions-battle-1", "enough for now, will answer later"),
    ],
)
def test_what_only_looks_like_a_move_is_asked_about(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every("text", ["keine Ahnung", "je ne sais pas"])
def test_who_knows_no_answer_skips_in_another_language_too(text: str) -> None:
    assert plan("split-decision-question-1", text) == ("skip",)


@every(
    "text",
    [
        "weighing my options",
        "mulling it over",
        "Still thinking.",
        "looking it up",
        "need time",
        "In a meeting",
        "in two minds",
    ],
)
def test_who_has_not_decided_answers_nothing(text: str) -> None:
    header, replay = played_to_its_end(FOLDER / "positions" / "7-split-decision-question-22.jsonl")
    seat, context = seated(header, replay, "Ann")
    assert read(replay.game, replay.state, seat, [text], context).plan == ()


@every("text", ["Chewing gum", "Sleeping Beauty", "On the Road", "In the Mood", "Sing it back"])
def test_an_answer_may_begin_as_they_do(text: str) -> None:
    header, replay = played_to_its_end(FOLDER / "positions" / "7-split-decision-question-22.jsonl")
    seat, context = seated(header, replay, "Ann")
    assert [each.text for each in read(replay.game, replay.state, seat, [text], context).plan] == [f"answer {text}"]


@every(
    ("name", "text"),
    [
        ("game-of-champions-roshambo-1", "Rock and roll! Give me until tonight"),
        ("split-decision-choose-1", "3 5 8 12. Tomorrow I decide."),
        ("champ-cards-cut-1", "22, ha! I'll mail my number after lunch"),
    ],
)
def test_who_answers_at_another_time_plays_nothing_yet(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text"),
    [
        ("bluffjack-bet-1", "Call it is, next card I stay"),
        ("bluffjack-bet-1", "I call. Once I see the third one I decide for the top"),
        ("champ-cards-offer-1", "Yes please, and the next round give me the corner"),
        ("champion-poker-play-1", "I'm in, and then top it up when the dealer opens"),
        ("game-of-champions-roshambo-1", "Paper, and the same until I tell you otherwise"),
        ("game-of-champions-battle-1", "Keep going, after this card let me out"),
        ("champion-poker-bet-1", "Ten on this hand, each hand after it twenty"),
        ("champ-cards-pick-1", "number five and from now on always the one beside it"),
        ("game-of-champions-place-1", "Place it on the ace of clubs. Then she attacks his king of hearts"),
        ("bluffjack-card-1", "One more for me, whatever it turns out to be I hold there"),
    ],
)
def test_what_is_said_of_another_moment_of_the_game_is_asked_about(name: str, text: str) -> None:
    assert plan(name, text) == ()


@every(
    ("name", "text", "played"),
    [
        ("bluffjack-bet-1", "Call. Whatever happens, it was fun.", ("call",)),
        ("champ-cards-bet-1", "Two thousand. You only live once!", ("bet 2000",)),
        ("champion-poker-play-1", "I'm in. Next letter in English please :)", ("play",)),
        ("champ-cards-pick-1", "number five, my gran was born then", ("pick 5",)),
        ("bluffjack-card-1", "One more for me. Back at work after all that fun!", ("hit",)),
    ],
)
def test_talk_of_another_time_is_let_be(name: str, text: str, played: tuple[str, ...]) -> None:
    assert plan(name, text) == played


@every("text", ["cut twenty-ish", "twenty ish", "cut twenty or so", "20-ish"])
def test_a_number_of_about_so_much_is_asked_about(text: str) -> None:
    assert plan("champ-cards-cut-1", text) == ()


@every("text", ["attack the king with the ace", "attack the king with Ad", "the ace attacks the king"])
def test_of_what_may_be_more_than_one_card_no_word_is_left_out(text: str) -> None:
    header, replay = played_to_its_end(FOLDER / "positions" / "17-game-of-champions-turn-20.jsonl")
    seat, context = seated(header, replay, "Ann")
    assert read(replay.game, replay.state, seat, [text], context).plan == ()


@every(
    "position, text",
    [
        ("25-champ-cards-choose-7", "keep, no draw"),
        ("25-bluffjack-bet-3", "call, no fold"),
        ("25-bluffjack-bet-3", "call on 12"),
        ("25-bluffjack-bet-3", "fold on 16"),
        ("25-bluffjack-card-2", "hit is better but stand"),
        ("25-bluffjack-card-2", "hit, better stand"),
        ("25-bluffjack-card-2", "would you hit"),
        ("25-bluffjack-card-2", "would hit be better"),
        ("25-champion-poker-bet-13", "would you bet 20"),
        ("25-champion-poker-bet-13", "next hand bet 10"),
        ("25-champion-poker-bet-13", "whatever but 20"),
        ("25-champ-cards-pick-8", "any number but 5"),
        ("25-champ-cards-pick-8", "any card but the king"),
        ("25-game-of-champions-place-19", "Kh, sorry, Ah"),
        ("25-game-of-champions-place-19", "Kh, make that Ah"),
        ("25-split-decision-question-25", "I was going to say lion but it's monkey"),
        ("25-split-decision-question-25", "my first guess was lion, but it's monkey"),
        ("25-split-decision-question-25", "I'd say monkey but skip"),
        ("25-split-decision-question-25", "how many letters?"),
        ("25-split-decision-question-25", "clue please"),
        ("18-split-decision-question-1", "I'd say Munich but my wife says Berlin"),
        ("18-split-decision-question-6", "dolphin, penguin is a bird"),
        ("18-split-decision-question-9", "need 10 minutes"),
        ("s6-split-decision-no-peek-6", "pass don't keep"),
    ],
)
def test_what_may_be_another_move_a_question_or_no_answer_is_not_played(position: str, text: str) -> None:
    assert whole(position, text) == []


@every(
    "position, text, played",
    [
        ("25-champ-cards-choose-7", "don't keep draw", "draw"),
        ("25-champ-cards-choose-7", "draw not keep", "draw"),
        ("25-champ-cards-choose-7", "I won't keep I draw", "draw"),
        ("25-champ-cards-choose-7", "keep don't draw", "keep"),
        ("25-champion-poker-play-14", "fold not play", "fold"),
        ("25-champion-poker-raise-15", "check, no raise", "check"),
        ("25-bluffjack-card-2", "would you please hit me", "hit"),
        ("25-game-of-champions-place-19", "place Kh. Ah!", "place Kh"),
        ("25-bluffjack-bet-3", "call. No fold this time.", "call"),
        ("25-bluffjack-card-2", "hit, better cards next time please", "hit"),
        ("25-bluffjack-card-2", "The weather is nice but I stand", "stand"),
        ("25-bluffjack-card-2", "Stand. Once he loses he will cry", "stand"),
        ("25-bluffjack-card-2", "stand. I always play like that", "stand"),
        ("25-bluffjack-card-2", "Stand, won all hands so far", "stand"),
        ("25-champ-cards-cut-10", "Always fun to play here. cut 7", "cut 7"),
        ("25-split-decision-question-25", "Clue", "answer Clue"),
        ("25-split-decision-question-25", "Could it be Paris?", "answer Paris"),
        ("25-split-decision-question-25", "My answer was Paris", "answer Paris"),
        ("25-split-decision-question-25", "I would say a monkey, but what do I know", "answer a monkey"),
        ("18-split-decision-question-6", "answer is b", "answer dolphin"),
        ("18-split-decision-question-6", "option B", "answer dolphin"),
        ("18-split-decision-question-6", "b not d", "answer dolphin"),
    ],
)
def test_a_move_in_words_that_leave_no_other_is_played(position: str, text: str, played: str) -> None:
    assert whole(position, text) == [played]


def whole(position: str, text: str) -> list[str]:
    """What is played of a text of whoever is asked first at the end of a record."""
    header, replay = played_to_its_end(FOLDER / "positions" / f"{position}.jsonl")
    asked = replay.game.questions(replay.state)[0].seat
    seat, reply = seated(header, replay, header.players[asked])
    return [each.text for each in read(replay.game, replay.state, seat, text.split("\n"), reply).plan]
