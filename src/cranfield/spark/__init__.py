"""Spark data frames: the same evaluation, to the last bit, with nothing but means on the driver; and click logs."""

from cranfield.spark.click_labels import SparkClickLabels as SparkClickLabels
from cranfield.spark.click_labels import clicks as clicks
from cranfield.spark.evaluation import evaluate as evaluate
from cranfield.spark.spark_scores import SparkScores as SparkScores

__all__ = ["SparkClickLabels", "SparkScores", "clicks", "evaluate"]
