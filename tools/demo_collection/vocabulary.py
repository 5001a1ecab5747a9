"""The sentences and words the demo collection is built from.

`{plants}` stands for the plural of a plant, `{plant}` for its singular and `{group}` for its group.
No template makes a plant the subject of a verb: garlic *needs* and roses *need*.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Aspect:
    """One thing people ask about a plant or a service, and how pages speak of it."""

    name: str
    titles: tuple[str, ...]
    """Titles that name the plant and say what the page is about."""
    hints: tuple[str, ...]
    """Titles of readers' letters, which say neither."""
    leads: tuple[str, ...]
    tips: tuple[str, ...]
    """Advice that holds for every plant."""
    words: str
    """What an embedding would know to be near this aspect."""


PLANT_ASPECTS = (
    Aspect(
        "planting",
        ("When to plant {plants}", "Starting {plants} from scratch", "{plants}: timing, depth and spacing"),
        ("The right week to begin", "An empty bed, and where to start", "Too early or too late?"),
        (
            "A good start decides the whole season for {plants}.",
            "Many gardeners set out {plants} too early in the year.",
            "This page explains how to get {plants} into the ground.",
        ),
        (
            "Warm soil matters more than the date on the calendar.",
            "Label every row, because you will not remember it in a month.",
            "Rake the bed to a fine crumb before you begin.",
            "Keep a few spare seedlings for the gaps.",
        ),
        "plant planting planted sow sowing seed seeds seedlings start germinate spacing apart depth soil bed grow",
    ),
    Aspect(
        "watering",
        ("How much water for {plants}?", "Watering {plants} in summer", "{plants} in dry weather"),
        ("Out with the can again", "Thirsty, or drowned?", "What to do in a heatwave"),
        (
            "The watering can does more harm to {plants} than drought.",
            "With {plants}, steady moisture is worth more than a flood at the weekend.",
            "Here is how to keep {plants} going through dry weeks.",
        ),
        (
            "Push a finger into the soil: if it comes out clean, it is time.",
            "Early morning is the best time, since little is lost to the sun.",
            "A water butt on the shed fills in a single storm.",
            "Mulch keeps the moisture where the roots are.",
        ),
        "water watering dry drought moist moisture thirsty wet soak rain rainwater often wilt droop split heatwave",
    ),
    Aspect(
        "feeding",
        ("Feeding {plants} through the year", "What to feed {plants}", "Compost, potash and {plants}"),
        ("A hungry plant, and what to give it", "Pale leaves in June", "How much is too much?"),
        (
            "Look at the leaves to see whether your {plants} want food.",
            "A little food at the right moment does wonders for {plants}.",
            "Here is what to give {plants}, and when.",
        ),
        (
            "Always feed moist soil, never dry roots.",
            "Half the dose on the packet, given twice as often, is safer.",
            "Home-made compost is the best start for any bed.",
            "Comfrey steeped in water makes a rich potash feed.",
        ),
        "feed feeding fertiliser food potash nitrogen compost manure iron yellow pale nutrients hungry dose",
    ),
    Aspect(
        "pruning",
        ("How to prune {plants}", "Training and cutting back {plants}", "Where to cut {plants}"),
        ("Be brave with the secateurs", "Snip here, not there", "An overgrown friend"),
        (
            "Cutting {plants} looks harder than it is.",
            "Good pruning gives {plants} light, air and a tidy shape.",
            "Keep {plants} in shape with a few cuts at the right time.",
        ),
        (
            "Use sharp, clean secateurs and cut just above a bud.",
            "Stand back and look after every few cuts.",
            "Put the trimmings on the compost heap if they are healthy.",
            "Choose a dry day, so that the cuts heal quickly.",
        ),
        "prune pruning cut cutting back pinch trim training shoots branches deadhead faded canes tip stem shape",
    ),
    Aspect(
        "pests",
        ("Pests of {plants}", "Keeping pests off {plants}", "{plants} under attack: who did it?"),
        ("Holes overnight", "Something is eating my supper", "The uninvited guests of June"),
        (
            "Sooner or later something else will want your {plants}.",
            "Look under the leaves of {plants} once a week.",
            "These are the visitors most often found on {plants}.",
        ),
        (
            "Birds, frogs and ladybirds do most of the work if you let them.",
            "An inspection with a torch after dark tells you who the culprit is.",
            "Fine mesh, put on in time, is better than any spray.",
            "Healthy plants in good soil shrug off small losses.",
        ),
        "pests pest bugs insects slugs snails aphids greenfly caterpillars beetle fly mites birds eating holes net",
    ),
    Aspect(
        "diseases",
        ("Diseases of {plants}", "Spots, mould and rot on {plants}", "Keeping {plants} healthy"),
        ("What are these patches?", "It looked fine last week", "A sad sight after the rain"),
        (
            "Most trouble with {plants} begins in wet weather.",
            "Odd marks on {plants} are worth a closer look.",
            "A sick patch of {plants} can often be saved if you act at once.",
        ),
        (
            "Do not put infected leaves on the compost heap.",
            "Clean your tools with spirit before moving to the next plant.",
            "Rotating the beds breaks the cycle of most soil diseases.",
            "Space between plants lets the leaves dry and keeps fungus away.",
        ),
        "disease diseases mould rot blight mildew rust spots virus fungus brown white patches sick black powdery",
    ),
    Aspect(
        "harvest",
        ("When to pick {plants}", "Harvesting {plants} at the best moment", "{plants}: ready yet?"),
        ("The moment we waited for", "Not yet, not yet, now!", "Basket in hand"),
        (
            "Timing is everything when you gather {plants}.",
            "The flavour of {plants} depends on the day you pick.",
            "This is how to tell when to bring in {plants}.",
        ),
        (
            "Pick little and often, and more will follow.",
            "Take a shallow basket, so that nothing is bruised.",
            "The early morning is cool, and everything is crisp.",
            "Give the first of the crop to a neighbour; it brings luck.",
        ),
        "harvest harvesting pick picking ripe ready gather lift dig crop ripen cut basket colour",
    ),
    Aspect(
        "storing",
        ("Storing {plants}", "How to keep {plants} for the winter", "Freezing, drying and keeping {plants}"),
        ("A shelf for the dark months", "Too much of a good thing", "From the garden to the larder"),
        (
            "A good harvest of {plants} need not be eaten in a week.",
            "With a little care you can enjoy {plants} far beyond the season.",
            "Here are the ways of keeping {plants} that worked for us.",
        ),
        (
            "Write the date on every bag and jar.",
            "Store only what is perfect, and eat the rest first.",
            "Cool, dark and dry is the rule for most of the larder.",
            "Look through your stores every other week.",
        ),
        "store storing stored keep keeping freeze freezer freezing dry drying fridge surplus glut jar preserve cellar",
    ),
    Aspect(
        "winter",
        ("{plants} in winter", "Protecting {plants} from frost", "Bringing {plants} through the cold"),
        ("Before the first frost", "Snow on the beds", "A blanket for the garden"),
        (
            "The cold months are a test for {plants}.",
            "A hard winter need not be the end of your {plants}.",
            "Prepare {plants} for the frost in good time.",
        ),
        (
            "Fleece weighs little and gains you three degrees.",
            "Empty saucers and lift pots off the ground.",
            "Brush off heavy snow before it breaks the stems.",
            "Watch the forecast on clear, still evenings.",
        ),
        "winter frost cold overwinter hardy snow protect protecting cover fleece freezing shelter autumn degrees",
    ),
    Aspect(
        "cuttings",
        ("New {plants} for nothing", "Growing {plants} from cuttings", "How to multiply {plants}"),
        ("Two from one", "Free plants for patient people", "A present for the neighbours"),
        (
            "One healthy parent gives you many young {plants}.",
            "It costs nothing to raise more {plants} of your own.",
            "This is the surest way to increase your {plants}.",
        ),
        (
            "Always take twice as many as you need.",
            "A clear bag over the pot keeps the air moist.",
            "A clean, sharp knife makes all the difference.",
            "Be patient, and do not tug to see if there are roots.",
        ),
        "cuttings cutting propagate propagation root roots rooted divide runners layer new multiply clump free",
    ),
    Aspect(
        "pots",
        ("{plants} in pots", "Growing {plants} on a balcony", "Containers for {plants}"),
        ("No garden? No matter", "Six square feet of sunshine", "A harvest by the back door"),
        (
            "You need no garden to grow {plants}.",
            "A sunny step is enough for {plants}.",
            "Whoever keeps {plants} in a container has to provide everything.",
        ),
        (
            "Make sure that every pot has a hole in the bottom.",
            "Large pots dry out more slowly than small ones.",
            "Use fresh compost each spring.",
            "Stand pots close together on hot days, so that they shade each other.",
        ),
        "pot pots container containers balcony tub patio windowsill compost repot bucket basket trough small space",
    ),
)

SERVICE_ASPECTS = (
    Aspect(
        "hours",
        ("{plants}: opening times", "When to visit: {plants}"),
        ("Come and see us", "Is anybody there?"),
        ("Everyone is welcome.", "We look forward to your visit."),
        ("Ring the bell if the gate is shut.", "There is tea for all who come."),
        "open opening hours times closed saturday sunday evening visit when day",
    ),
    Aspect(
        "booking",
        ("How to use it: {plants}", "{plants}: how to book"),
        ("Your first time here?", "What to bring along"),
        ("It takes a minute, and our volunteers will help.", "Here is how it works."),
        ("Write to the desk if anything is unclear.", "Cards are made on the spot."),
        "book booking reserve borrow card join order bring online appointment place",
    ),
    Aspect(
        "costs",
        ("{plants}: prices", "What we charge: {plants}"),
        ("A fair price for all", "Pounds and pence"),
        ("We keep our prices low.", "The garden lives on small sums and many hands."),
        ("You can pay in cash or by card.", "Every penny goes back into the garden."),
        "cost costs price prices pound pounds free pay deposit fee charge expensive",
    ),
)

ASPECTS = {aspect.name: aspect for aspect in (*PLANT_ASPECTS, *SERVICE_ASPECTS)}

PROFILE_TITLES = ("{plants} at a glance", "{plants} for beginners", "Meet the family: {plants}")
PROFILE_LEADS = (
    "Everything a newcomer should know about {plants}, on one page.",
    "This short portrait introduces {plants} to new gardeners.",
)

GROUP_TITLES = ("{group}: a note on {aspect}", "{aspect} and {group}, in general")
GROUP_LEADS = ("This page is about all {group} together.", "These rules hold for {group} of every kind.")
SPOKEN = {"cuttings": "taking cuttings", "pots": "growing in pots", "winter": "winter care"}
"""What an aspect is called in a sentence, where its name alone would not do."""

LETTERS = (
    "A reader wrote to us about {plants}.",
    "A neighbour asked over the fence about {plants}.",
    "At the plant clinic this month, most people asked about {plants}.",
)

ASIDES = {
    "A supper beside the {plants}": "Our volunteers laid a table for forty guests among the {plants}.",
    "{plants} on the show bench": "The best {plants} of the year won a silver cup, after an hour of debate.",
    "A painting of {plants}": "The art group drew {plants} in ink, and the pictures hang in the tea room.",
    "The story of {plants}": "An evening talk followed {plants} through three hundred years of gardens.",
    "Children and {plants}": "The school drew, counted and measured our {plants} in wind and rain.",
    "Favourite {plants}, a vote": "Our members chose their favourite {plants}, and an old variety won.",
}
"""Pages that name a plant and answer no question about growing it."""

SYNONYMS = (
    "crack cracked split splitting",
    "rodents mice mouse",
    "animals squirrels",
    "worms maggots grubs",
    "fertilizer fertiliser feed food potash",
    "bloom blooms flower flowers flowering",
    "spreading runners cross taking",
    "awful bitter horrible taste",
    "dark black blackens",
    "stuff dust powder powdery white",
    "shredding strip skeletonise eat eats eating chew",
    "preserve preserving freeze freezer freezing",
    "big large size length",
    "heavy clay",
    "fuzz fluffy mould grey",
    "stealing birds blackbirds",
    "fresh months keep keeping",
    "ready ripe ripening glossy",
)
"""Words an embedding holds to be alike."""
