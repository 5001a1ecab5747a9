"""The queries of the demo collection: `text | intent | topic | aspect`, and which fact is the answer.

The number after the aspect is that of the fact which answers the query best; without one, each fact does.
The aspect `overview` is that of someone who asks about a plant as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.demo_collection.topics import Topic

QUESTIONS = """
how often should I water tomatoes | howto | tomato | watering 1
why do my tomatoes crack | problem | tomato | watering 2
tomato leaves going brown | problem | tomato | diseases 1
black bottoms on tomatoes | problem | tomato | diseases 2
pinching out tomato side shoots | howto | tomato | pruning 1
ripening green tomatoes indoors | howto | tomato | harvest 2
best tomatoes for a balcony | informational | tomato | pots 1
chilli plants not coming up | problem | chilli | planting 2
can chilli plants survive the cold months | howto | chilli | winter
drying hot peppers at home | howto | chilli | storing 1
cucumber tastes awful | problem | cucumber | watering 1
white stuff on cucumber leaves | problem | cucumber | diseases 1
zucchini rotting | problem | courgette | diseases 1
what to do with too many courgettes | howto | courgette | storing 1
how big should courgettes get | informational | courgette | harvest 1
eggplant fertilizer | informational | aubergine | feeding 1
how to tell an aubergine is ready | informational | aubergine | harvest 1
when to plant seed potatoes | howto | potato | planting 1
potato leaves blackened by blight | problem | potato | diseases 1
storing spuds over winter | howto | potato | storing 1
growing potatoes in a sack | howto | potato | pots 1
carrot fly protection | problem | carrot | pests
why are my carrots forked | problem | carrot | diseases 1
keep carrots fresh for months | howto | carrot | storing 1
when are onions ready to lift | howto | onion | harvest 1
onions gone to flower | problem | onion | harvest 2
planting garlic in autumn | howto | garlic | planting 1
orange spots on garlic | problem | garlic | diseases 1
how to cure and store garlic | howto | garlic | storing 1
why does lettuce go bitter | problem | lettuce | watering 2
slugs eating lettuce | problem | lettuce | pests 1
winter salad under cover | howto | lettuce | winter
something is shredding my kale | problem | kale | pests 1
no pods on runner beans | problem | runner bean | watering 1
black bugs on runner beans | problem | runner bean | pests 1
rodents eating my peas | problem | pea | pests 1
preserving fresh peas | howto | pea | storing 1
new strawberry plants from runners | howto | strawberry | cuttings 1
stop birds stealing strawberries | problem | strawberry | pests 1
grey fuzz on strawberries | problem | strawberry | diseases 1
pruning autumn raspberries | howto | raspberry | pruning 1
growing raspberries for beginners | informational | raspberry | overview
blueberries in pots | howto | blueberry | pots
can I water blueberries with tap water | informational | blueberry | watering 1
winter pruning of apple trees | howto | apple | pruning 1
maggots inside apples | problem | apple | pests 1
keeping apples until spring | howto | apple | storing 1
supermarket basil keeps dying | problem | basil | planting 2
how to preserve basil for later | howto | basil | storing 1
mint taking over the garden | problem | mint | planting 2
make more mint plants | howto | mint | cuttings 1
rosemary going brown | problem | rosemary | watering 2
taking rosemary cuttings | howto | rosemary | cuttings 1
when to cut back roses | howto | rose | pruning 1
deadheading roses | howto | rose | pruning 2
rose leaves with dark spots falling off | problem | rose | diseases 1
lavender on heavy clay | howto | lavender | planting 2
how to prune old woody lavender | howto | lavender | pruning
something eats dahlia flowers at night | problem | dahlia | pests 1
dahlia tubers after the first frost | howto | dahlia | winter 1
animals digging up tulip bulbs | problem | tulip | pests 1
turn hydrangeas blue | howto | hydrangea | feeding 1
hydrangea with no blooms | problem | hydrangea | pruning 2
tulips for beginners | informational | tulip | overview
seed library opening hours | navigational | seed library | hours
tool library shredder | navigational | tool library | booking 1
plant doctor appointment | navigational | plant clinic | booking
gardening course price | navigational | gardening course | costs 1
compost delivery | navigational | compost collection | booking 1
what does tool hire cost | navigational | tool library | costs
"""

OVERVIEW = "overview"


@dataclass(frozen=True)
class Query:
    """A query, with what the person really wants to know."""

    query_id: str
    text: str
    intent: str
    topic: Topic
    aspect: str
    number: int | None = None
    """Which fact is wanted; None when each will do."""


def queries(topics: Sequence[Topic]) -> list[Query]:
    """Every query, in the order of the table."""
    by_name = {topic.name: topic for topic in topics}
    lines = QUESTIONS.strip().split("\n")
    return [_query(f"q{number:02}", line, by_name) for number, line in enumerate(lines, start=1)]


def _query(query_id: str, line: str, topics: Mapping[str, Topic]) -> Query:
    text, intent, topic, wanted = (field.strip() for field in line.split("|"))
    aspect, _, number = wanted.partition(" ")
    return Query(query_id, text, intent, topics[topic], aspect, int(number) if number else None)
