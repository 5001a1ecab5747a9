"""What the demo collection knows about fruit, herbs and flowers, and about the garden's own services.

The tables are written as in `vegetables`.
"""

from __future__ import annotations

FRUIT_AND_HERBS = """
strawberry | strawberries | soft fruit |
planting   Set young plants in August, with the crown exactly level with the soil.
planting   Replace plants after three years, in a bed that has not grown them before.
watering   Water between the plants rather than over them, since wet fruit rots.
watering   Newly planted runners need water daily for the first two weeks.
feeding    Feed with potash when the flowers open, and with compost after the harvest.
feeding    Lush leaves and few flowers mean too much nitrogen.
pests      Blackbirds take the fruit as it colours, so drape a net over hoops in May.
pests      Vine weevil grubs eat the roots; water nematodes into the soil in September.
diseases   Fluffy grey mould on the fruit spreads in damp beds; lay straw and pick rotten fruit daily.
diseases   Purple spots with pale centres are leaf spot, removed with the old leaves after fruiting.
harvest    Pick in the cool of the morning when the whole berry is red, with the stalk attached.
harvest    Everbearing varieties crop lightly from June until the first frosts.
cuttings   Peg runners into small pots in July and cut them free when they have rooted.
cuttings   Take new plants only from healthy parents, as runners carry virus with them.
pots       Hanging baskets keep the fruit clean and out of the reach of slugs.
pots       Five plants fill a trough; water daily and feed every week while they flower.

raspberry | raspberries | soft fruit |
planting   Plant bare canes in November, shallowly, forty centimetres apart along a wire.
planting   Keep autumn and summer kinds apart, because they are cut in different ways.
feeding    Spread a bucket of manure along the row in March, clear of the canes.
feeding    Yellow leaves between green veins show a lack of iron in limy soil.
pruning    Cut autumn-fruiting canes to the ground in February.
pruning    After summer fruiting, remove the brown canes that bore and tie in the best six green ones.
pests      Raspberry beetle leaves dry patches and grubs at the stalk end; hang traps in spring.
pests      Greenfly on the tips carries virus, so encourage ladybirds and hose it off.
diseases   Purple blotches around the buds are spur blight; thin the canes to let in the air.
diseases   Canes that wither in spring at soil level have cane blight, and must be cut and burnt.
harvest    Ripe fruit slips off its white core with no pull at all.
harvest    Gather every second day, in a shallow bowl so that the berries are not crushed.
storing    Freeze the berries in one layer, then tip them into bags.
storing    Unwashed fruit keeps three days in the fridge on kitchen paper.

blueberry | blueberries | soft fruit |
planting   Plant in acid soil, or in ericaceous compost if your garden contains lime.
planting   Two different varieties side by side pollinate each other and double the crop.
watering   Use rainwater, because the lime in tap water slowly yellows the leaves.
watering   The roots are shallow, so water twice a week and cover them with pine needles.
feeding    Use a feed made for azaleas in April and again in June.
feeding    Never give manure or lime, which these acid-loving shrubs cannot bear.
pruning    From the fourth year take out two of the oldest branches each February.
pruning    Fruit comes on last year's wood, so do not clip the tips.
pests      Birds know the ripe berries first; a cage pays for itself in one summer.
pests      Vine weevils notch the leaves at night, and their grubs harm potted plants.
harvest    Wait a week after the berries turn blue, for that is when they become sweet.
harvest    Roll the clusters with your thumb: ripe berries drop into the hand.
pots       A forty-centimetre pot of ericaceous compost suits one bush for many years.
pots       Repot in March every second year and trim the outer roots.

apple | apples | orchard fruit |
planting   Plant bare-rooted trees between November and March, with the graft above the soil.
planting   Choose a dwarf rootstock such as M9 for a small garden.
pruning    In winter open the centre of the tree like a goblet, and take out crossing branches.
pruning    Prune trained trees in August, cutting new side shoots to three leaves.
feeding    Spread compost over the root area in spring, but keep it off the trunk.
feeding    Trees in grass are hungry; clear a circle one metre wide around the trunk.
pests      Maggots in the core are codling moth; hang pheromone traps in the middle of May.
pests      White wool on the bark hides woolly aphids, which a stiff brush removes.
diseases   Scab makes dark, cracked spots on the skin; rake up the leaves in autumn.
diseases   Brown rot with rings of pale spots spreads by touch, so remove mummified fruit.
harvest    Lift the fruit in your palm and twist: ripe fruit parts from the twig with its stalk.
harvest    Thin to one fruit per cluster in June for larger ones, and a crop every year.
storing    Wrap perfect late fruit in newspaper and keep it in a cool, dark cellar.
storing    Check the trays weekly, since one bad fruit spoils the rest.

basil | basil | kitchen herbs |
planting   Sow on a warm windowsill from April, and do not cover the seed.
planting   Divide a supermarket pot into four and replant each part in fresh compost.
watering   Water in the morning from below, and let the saucer be dry by the evening.
watering   Black, limp stems come from cold and wet feet at night.
pruning    Nip off the tips above a pair of leaves, and two stems grow for each one taken.
pruning    Remove flower buds at once, or the leaves become small and bitter.
pests      Slugs prefer it to everything else outdoors, so keep the pot on a table.
pests      Greenfly indoors gives way to a rinse under the tap on three days running.
harvest    Take whole tips rather than single leaves, in the morning.
harvest    A plant can lose a third of its leaves at a time without harm.
storing    Blend the leaves with oil and freeze them in an ice-cube tray.
storing    A bunch keeps on the table in a glass of water, never in the fridge.
pots       Plant five seedlings in a clay pot and stand it beside the sunniest window.
pots       Repot when roots come through the hole, about once in a summer.

mint | mint | kitchen herbs |
planting   Plant a piece of root flat, five centimetres deep, in any damp corner.
planting   Sink a bottomless bucket around it, or the runners will cross the whole bed.
watering   Keep the soil moist all summer, since dry plants turn woody.
watering   A pot stands happily in a saucer of water in July.
pests      Small green beetles strip the leaves; shake them into a jar in the evening.
pests      Capsid bugs leave ragged holes, which a hard trim in June removes.
diseases   Orange spots under the leaves are rust: dig the plant out and start in new soil.
diseases   Powdery mildew comes to dry plants in a still corner; cut them down and water.
cuttings   A stem in a glass of water has roots within ten days.
cuttings   Lift a clump in October and replant the outer pieces.
harvest    Cut stems to a hand's height three times in a summer, and fresh ones follow.
harvest    The flavour is strongest just before the flowers open.
storing    Dry small bunches upside down in a dark and airy place.
storing    Chop the leaves into vinegar and sugar, for a sauce that keeps all winter.

rosemary | rosemary | kitchen herbs |
planting   Plant in the sunniest and best drained place you have, with a spade of grit.
planting   A hedge wants plants forty centimetres apart, set in May.
watering   An established bush needs no water, except in its first summer.
watering   Brown needles at the base are usually a sign of wet roots.
pruning    Clip lightly after flowering, and never cut into bare wood.
pruning    A leggy old bush seldom recovers, so start a new one from cuttings.
pests      Metallic striped beetles eat the leaves; pick them off over an open umbrella.
pests      Froghoppers leave blobs of foam on the stems, which are harmless and wash away.
cuttings   Pull a side shoot with a heel in August and root it in gritty compost.
cuttings   Layer a low branch under a stone and cut it free in a year.
winter     Bring young plants under cover below minus five degrees.
winter     Raise the pot on feet, because winter wet kills more bushes than the cold does.
pots       Mix a third of grit into the compost and use a clay pot.
pots       Move it up one size each spring until the pot is forty centimetres wide.
"""

FLOWERS = """
rose | roses | garden flowers |
planting   Plant bare roots in November with the graft two fingers below the surface.
planting   Do not plant a new bush where an old one stood, without changing the soil.
watering   Give each bush ten litres once a week in summer, at the foot.
watering   Climbers on a wall need twice as much, since the wall keeps off the rain.
feeding    Feed in April and again in June after the first flush, and never after July.
feeding    Pale leaves with green veins need iron, which a seaweed tonic supplies.
pruning    Cut bush types to knee height in late February, to an outward-facing bud.
pruning    Snip faded flowers above the first leaf of five, and new buds follow in six weeks.
pests      Greenfly on the buds is eaten by blue tits; until they come, wipe it away.
pests      Rolled leaves hide sawfly grubs, and should be pinched off in May.
diseases   Black spot marks the leaves, which then fall; gather them and mulch in spring.
diseases   Orange dust under the leaves is rust, which a good pruning for air prevents.
cuttings   Push pencil-long stems into a shaded trench in October and leave them for a year.
cuttings   Half of the cuttings root if all the leaves but two are taken off.
winter     Draw earth over the crown in frosty places, and take it away in March.
winter     Shorten tall stems by a third in November, so the wind does not rock them.

lavender | lavender | garden flowers |
planting   Plant in April in full sun and poor, gravelly soil, a forearm apart.
planting   On clay, make a mound with sharp sand so that the crown stays dry.
watering   Water new plants weekly for one summer and then leave them to the rain.
watering   Drooping grey stems in a pot are nearly always overwatered.
pruning    Cut back by a third in late August, leaving a little green on each stem.
pruning    Old wood does not shoot, so an overgrown plant is better replaced.
cuttings   Take finger-long shoots without flowers in July, and root them in sand.
cuttings   Cuttings root in four weeks when they are kept shaded and barely moist.
harvest    Cut stems when the lowest florets open, after the dew has dried.
harvest    For scented bags strip the flowers once they crackle between the fingers.
winter     Protect French kinds from frost in a cold greenhouse.
winter     Wet soil rather than frost kills the English kinds, so clear away fallen leaves.
pots       A clay pot with a third of grit keeps the roots as dry as they like.
pots       Turn the pot each month, and the bush stays even.

dahlia | dahlias | garden flowers |
planting   Start tubers in pots in April and set them out in late May.
planting   Drive in the stake before planting, so as not to spear the tuber.
watering   Start watering only when shoots appear, then give a can a week.
watering   In hot weeks soak the ground in the evening to keep flowers coming.
pruning    Pinch out the main shoot above the third pair of leaves, for a bushy plant.
pruning    Cut off spent flowers, which are pointed, and leave the round buds.
pests      Earwigs chew the petals at night; an upturned pot of straw on a cane traps them.
pests      Slugs take the first shoots, so lay wool pellets around them in May.
diseases   Yellow rings and stunted growth are a virus, and the plant must go.
diseases   White powder in September is mildew, and too late in the year to matter.
cuttings   Cut shoots of ten centimetres from the tuber in March and root them in warmth.
cuttings   Divide clumps in spring so that each part has an eye.
winter     Lift the tubers when frost blackens the leaves, dry them and keep them in sand.
winter     In mild gardens leave them in the ground under a thick mulch.

tulip | tulips | garden flowers |
planting   Plant bulbs in November, three times their depth, with the point upward.
planting   Plant late, because cold soil keeps tulip fire away.
pests      Squirrels dig up new bulbs; lay chicken wire over them and cover it.
pests      Mice eat stored bulbs, so hang them up in a net.
diseases   Scorched, twisted leaves are tulip fire, and the bulbs must be burnt.
diseases   Blue mould on stored bulbs is harmless if the bulb is firm.
pruning    Snap off the faded heads, but leave the foliage until it is yellow.
pruning    Leaves tied in knots cannot feed the bulb for next year.
storing    Lift bulbs in June, let them dry and keep them cool until November.
storing    Only the large bulbs will flower next year; set the small ones in a corner to grow.
pots       Layer bulbs in a deep pot: late ones at the bottom, early ones above.
pots       Keep pots out of the rain in winter, or the bulbs rot.

hydrangea | hydrangeas | garden flowers |
planting   Plant in half shade in October, in soil that holds water.
planting   Morning sun with afternoon shade keeps the flowers from scorching.
watering   Leaves flag at once in dry soil, so soak them twice a week in summer.
watering   Use rainwater if you wish blue flowers to stay blue.
feeding    Give aluminium sulphate in autumn to turn the flowers from pink to blue.
feeding    One helping of slow-release feed in April is all they need.
pruning    Remove old flower heads in April, down to the first fat pair of buds.
pruning    Bushes without flowers were usually cut too hard the year before.
cuttings   Take tips without flowers in July, halve the leaves and root them in a shaded pot.
cuttings   Bend a low stem to the ground in June, and it will have roots by spring.
winter     Leave the faded heads on until spring, as they shelter the buds from frost.
winter     Wrap buds in fleece on clear April nights.
pots       Choose a wide pot of ericaceous compost and stand it out of the wind.
pots       Potted bushes need water every day in July.
"""

SERVICES = """
seed library | seed library | garden services | the seed swap
hours      The seed library is open on Tuesday and Saturday from ten to four, in the old greenhouse.
hours      In February, the busiest month, it also opens on Thursday evenings until eight.
booking    Take up to six packets home with your card; no appointment is needed.
booking    Bring saved seed back by November in a dry, labelled envelope.
costs      Borrowing seed is free, and a gift of seed in autumn is always welcome.
costs      There is no fine for seed that never came up.

tool library | tool library | garden services | tool hire
hours      Tools are handed out on Friday afternoon and taken back on Monday morning.
hours      The tool shed is closed in January, while everything is sharpened.
booking    Reserve shredders and scarifiers online, at most three weeks ahead.
booking    Show your card and sign the book; the volunteer explains every machine.
costs      Hand tools cost one pound a week and machines eight pounds a day.
costs      A deposit of twenty pounds is returned when the tool comes back clean.

plant clinic | plant clinic | garden services | the plant doctor
hours      The plant clinic meets on the first Sunday of the month, from eleven to one.
hours      From April to July there is an extra clinic each Wednesday evening.
booking    Bring the sick leaf in a closed bag, together with a photograph of the whole plant.
booking    Send a picture through the form, and a volunteer answers within two days.
costs      Advice at the clinic is free for everybody.
costs      A laboratory test for disease costs twelve pounds and takes ten days.

gardening course | gardening courses | garden services | workshops
hours      Courses for beginners run on six Saturday mornings, starting in March and September.
hours      Evening talks begin at seven and end by half past eight.
booking    Book a place online or at the desk; the waiting list is called in order.
booking    Places can be given back until one week before the first morning.
costs      A course of six mornings costs forty-eight pounds, tools and tea included.
costs      Students and people out of work pay half.

compost collection | compost collection | garden services | green waste
hours      Compost can be fetched on weekdays from eight until dusk, by the east gate.
hours      Green waste is taken in on Saturday mornings only.
booking    Order a delivery of one cubic metre by telephone, two weeks ahead.
booking    Bring your own sacks and a shovel, and load the car yourself.
costs      Forty litres cost three pounds, and a cubic metre fifty-five pounds delivered.
costs      Members fetch the first five sacks of the year for nothing.
"""
